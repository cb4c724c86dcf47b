import { type GraphQLNamedType, type GraphQLSchema, isObjectType, isUnionType } from 'graphql';
import { describeList } from './list-words.ts';

const ENDING = /(Result|ConnectionEdge|Connection)$/;

/** Describes what plugins derive from a field (results, connections, edges, arguments for paging) by the field. Returns the schema. */
export function describeDerived(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter(isObjectType).flatMap((parent) =>
    Object.values(parent.getFields()).map((field) => ({
      field,
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
    const derived = ending === 'ConnectionEdge' ? type.name.slice(0, -'Edge'.length) : type.name;
    const field = fields.find((each) => each.type === derived);
    if (ending && field) type.description = sentences[ending]?.(field.path, type);
  }
  for (const { field } of fields) describeList(field);
  return schema;
}

/** Lists the members of a union that are not errors. */
function resultOf(type: GraphQLNamedType): string {
  const members = isUnionType(type) ? type.getTypes() : [];
  const results = members.filter((member) => !member.name.endsWith('Error'));
  return results.map((member) => `\`${member.name}\``).join(' or ');
}
