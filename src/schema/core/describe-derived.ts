import { type GraphQLNamedType, type GraphQLSchema, isObjectType, isUnionType } from 'graphql';

const ENDING = /(Result|ConnectionEdge|Connection)$/;

/** The types that plugins make of a field are described by that field, so that each description stands once. */
export function describeDerived(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter(isObjectType).flatMap((parent) =>
    Object.values(parent.getFields()).map((field) => ({
      path: `\`${parent.name}.${field.name}\``,
      type: String(field.type).replaceAll(/[[\]!]/g, ''),
    })),
  );
  const sentences: Record<string, (path: string, type: GraphQLNamedType) => string> = {
    Result: (path, type) =>
      `What ${path.replace(/(Query|Mutation)\./, '')} returns: ${resultOf(type)}, or an expected error.`,
    Connection: (path) => `One page of ${path}.`,
    ConnectionEdge: (path) => `One entry of ${path}, with its cursor.`,
  };
  for (const type of types) {
    const ending = ENDING.exec(type.name)?.[1];
    const made = ending === 'ConnectionEdge' ? type.name.slice(0, -'Edge'.length) : type.name;
    const field = fields.find((each) => each.type === made);
    if (ending && field) type.description = sentences[ending]?.(field.path, type);
  }
  return schema;
}

/** The members of a union that are no errors. */
function resultOf(type: GraphQLNamedType): string {
  const members = isUnionType(type) ? type.getTypes() : [];
  const results = members.filter((member) => !member.name.endsWith('Error'));
  return results.map((member) => `\`${member.name}\``).join(' or ');
}
