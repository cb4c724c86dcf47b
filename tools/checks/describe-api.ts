import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';

const HEAD = `# The graph

Made from the schema by \`npm run docs:api\`; GraphiQL shows the same. A \`!\` is never null, \`[]\` is a list. Lists are
connections by Relay's specification (\`first\`, \`after\`, \`last\`, \`before\`), and nodes have an \`id\` for \`node(id:)\`. Expected
failures are members of the result's union: select \`... on Error { code message }\`.
`;

/** Describes the schema as a page of markdown: operations first, then types by name. */
export function describeApi(schema: GraphQLSchema): string {
  const roots = [
    ['Queries', schema.getQueryType()],
    ['Mutations', schema.getMutationType()],
    ['Subscriptions', schema.getSubscriptionType()],
  ] as const;
  const rootNames = new Set(roots.map(([, type]) => type?.name));
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    // Connections and edges are alike for all types.
    .filter(({ name }) => !rootNames.has(name) && !/(?:Connection|Edge)$/.test(name))
    .sort((a, b) => a.name.localeCompare(b.name));
  return [
    HEAD,
    ...roots.flatMap(([title, type]) =>
      type ? [`## ${title}`, '', ...Object.values(type.getFields()).flatMap(operation)] : [],
    ),
    '## Types',
    '',
    ...types.flatMap(typeSection),
  ].join('\n');
}

const cell = (text: string | null | undefined): string =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
    .replaceAll('|', '\\|');

const table = (rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : ['| | | |', '| --- | --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`), ''];

const valueRow = ({
  name,
  type,
  description,
}: Pick<GraphQLArgument, 'name' | 'type' | 'description'>) => [
  `\`${name}\``,
  `\`${type}\``,
  cell(description),
];

function operation({ name, type, description, args }: GraphQLField<unknown, unknown>): string[] {
  return [`### ${name}: \`${type}\``, '', cell(description), '', ...table(args.map(valueRow))];
}

/** Returns the row of a field. It only names the arguments; the schema describes them. */
function fieldRow({ name, type, description, args }: GraphQLField<unknown, unknown>) {
  const given = args.length > 0 ? `(${args.map((argument) => argument.name).join(', ')})` : '';
  return [`\`${name}${given}\``, `\`${type}\``, cell(description)];
}

function typeSection(type: GraphQLNamedType): string[] {
  const head = [`### ${type.name}`, '', cell(type.description), ''];
  if (isEnumType(type)) {
    return [
      ...head,
      ...table(
        type.getValues().map(({ name, description }) => [`\`${name}\``, '', cell(description)]),
      ),
    ];
  }
  if (isUnionType(type)) {
    return [
      ...head,
      `One of ${type
        .getTypes()
        .map(({ name }) => `\`${name}\``)
        .join(', ')}.`,
      '',
    ];
  }
  if (isInputObjectType(type)) {
    return [...head, ...table(Object.values(type.getFields()).map(valueRow))];
  }
  return isObjectType(type) || 'getFields' in type
    ? [...head, ...table(Object.values(type.getFields()).map(fieldRow))]
    : head;
}
