import { getIntrospectionQuery, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { excessOf, MOST } from '../../../src/http/limits/document-size.ts';
import { schema } from '../../../src/schema/index.ts';
import { processorTime } from '../../support/processor-time.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let ann: { authorization: string };
beforeAll(async () => {
  server = await createTestServer();
  ann = await asUser('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** A number of aliases of each field. */
const named = (count: number, fields: string[], length: number) =>
  fields
    .map((field, k) => many(count, (n) => `${`a${k}_${n}_`.padEnd(length, 'x')}: ${field}`))
    .join(' ');
/** As long as they may be. */
const long = (count: number, fields: string[]) => named(count, fields, MOST.nameLength);
const short = (count: number, ...fields: string[]) => named(count, fields, 0);
const LEAVES = ['name', 'description', 'isDeprecated', 'deprecationReason', '__typename'];

const INTROSPECTION = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
});

const INTROSPECTION_FRAGMENT = INTROSPECTION.replace(
  /query [^{]*\{\s*__schema \{/,
  'fragment S on __Schema {',
).replace(/\}\s*\}\s*fragment FullType/, '} fragment FullType');

it.each([
  [
    'one field with 1,400 arguments',
    `{ viewer { ${many(1_400, (n) => `turns(first: ${n}) { edges { cursor } }`)} } }`,
    /200 fields and fragments/,
  ],
  [
    'fields that are compared in pairs',
    `{ ${many(190, () => 'viewer { turns { edges { cursor } } }')} }`,
    /20,000 pairs of fields/,
  ],
  [
    'fragments that compare in pairs',
    `{ viewer { ${many(90, (n) => `...F${n}`)} } } ${many(90, (n) => `fragment F${n} on User { id turnCount userId timeZone a: id b: id }`)}`,
    /20,000 pairs|5,000 fields/,
  ],
  [
    'a bomb of fragments',
    `{ viewer { ...F0 } } ${many(60, (n) => `fragment F${n} on User { ...F${n + 1} ...F${n + 1} }`)} fragment F60 on User { id }`,
    /20,000 pairs|5,000 fields/,
  ],
  [
    'fields of many fragments',
    `{ viewer { ${many(30, (n) => `a${n}: threads { edges { node { ...F } } }`)} } } fragment F on Thread { ${many(190, (n) => `f${n}: __typename`)} }`,
    /names for one field|5,000 fields/,
  ],
  [
    'many names for one field',
    `{ viewer { ${many(31, (n) => `a${n}: turnCount`)} } }`,
    /30 names for one field/,
  ],
  [
    'many variables',
    `query (${many(1_001, (n) => `$v${n}: Int`)}) { viewer { id } }`,
    /1,000 variables/,
  ],
  [
    'many operations',
    many(101, (n) => `query Q${n} { viewer { id } }`),
    /100 operations and fragments/,
  ],
  ['many directives', `{ viewer { id ${many(101, () => '@skip(if: false)')} } }`, /100 directives/],
  ['a long name', `{ viewer { ${'n'.repeat(129)}: id } }`, /128 characters in a name/],
  [
    'many characters',
    `{ viewer { id } } ${'# \n'.repeat(200_000)}`,
    /500,000 characters; put long texts into variables/,
  ],
  [
    'introspection by names at the top',
    `{ ${many(3, (n) => `a${n}: __schema { ...S }`)} } ${INTROSPECTION_FRAGMENT}`,
    /introspection schema/,
  ],
  [
    'introspection by names within',
    `{ __schema { ${many(9, (n) => `a${n}: types { name fields { name args { name type { name } } type { name fields { name } } } }`)} } }`,
    /introspection schema/,
  ],
  [
    'introspection by long names',
    `{ ${many(2, (n) => `a${n}: __schema { types { fields { ${long(30, LEAVES)} } } }`)} }`,
    /3,000,000 bytes of the introspection schema, by estimate; use fewer and shorter aliases\. Send several operations/,
  ],
])('%s is refused before the document is validated', async (_what, query, message) => {
  const operationName = /query Q0\b/.test(query) ? 'Q0' : null;
  const { status, body } = await server.post({ query, operationName }, ann);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([
    { message: expect.stringMatching(message), extensions: { code: 'DOCUMENT_TOO_LARGE' } },
  ]);
});

it('a document that is too large is refused over WebSocket, too', async () => {
  const query = `{ viewer { ${many(31, (n) => `a${n}: turnCount`)} } }`;
  const asked = server.socket(ann).iterate({ query }).next();
  await expect(asked).rejects.toMatchObject([{ extensions: { code: 'DOCUMENT_TOO_LARGE' } }]);
});

it('the introspection query of GraphiQL is accepted', async () => {
  const { status, body } = await server.post({ query: INTROSPECTION }, ann);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
});

const DEEP = 'fields { type { ofType { ofType { fields { name } } } } }';

it.each<[what: string, query: (count: number) => string]>([
  ['long names', (n) => `{ __schema { types { fields { ${long(n, LEAVES)} } } } }`],
  ['short names', (n) => `{ __schema { types { fields { ${short(n, ...LEAVES)} } } } }`],
  ['descriptions', (n) => `{ __schema { types { fields { ${short(n, 'description')} } } } }`],
  ['lists', (n) => `{ __schema { ${short(n, 'types { name fields { name description } }')} } }`],
  ['empty lists', (n) => `{ __schema { types { ${short(n, 'enumValues { name }')} } } }`],
  ['arguments', (n) => `{ __schema { ${short(n, 'mutationType { fields { args { name } } }')} } }`],
  ['types', (n) => `{ __type(name: "Episode") { ${short(n, DEEP)} } }`],
  [
    'interfaces',
    (n) =>
      `{ __type(name: "Node") { ${short(n, 'possibleTypes { fields { name description } }')} } }`,
  ],
  ['directives', (n) => `{ __schema { ${short(n, 'directives { locations description }')} } }`],
])(
  'the dearest introspection that is accepted answers with few bytes: %s',
  async (_what, query) => {
    const accepted = Array.from({ length: 30 }, (_, index) => query(index + 1)).filter(
      (each) => excessOf(parse(each)) === null,
    );
    const start = process.cpuUsage();
    const { status, body } = await server.post({ query: accepted.at(-1) }, ann);
    const { user, system } = process.cpuUsage(start);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    expect(JSON.stringify(body).length).toBeLessThan(MOST.introspection);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  },
);

it('a mutation with 500 literal turns is accepted', async () => {
  const turns = many(500, (n) => `{ text: "Turn ${n}, which says ${'something '.repeat(50)}" }`);
  const query = `mutation { remember(input: { channel: "sms", turns: [${turns}] }) { __typename } }`;
  const { body } = await server.post({ query }, ann);
  expect(body).toEqual({ data: { remember: { __typename: 'RememberPayload' } } });
});

it('a small invalid document gets the usual messages about recursive and unknown fragments', async () => {
  const ask = async (query: string) =>
    (await server.post({ query }, ann)).body.errors?.[0]?.message;
  expect(await ask('{ viewer { ...A } } fragment A on User { ...A id }')).toMatch(
    /Cannot spread fragment "A" within itself/,
  );
  expect(await ask('{ viewer { ...B } }')).toMatch(/Unknown fragment "B"/);
});

it.each([
  [
    'pairs',
    `{ ${many(60, () => 'viewer { turns { edges { node { id thread { id title turns { edges { cursor } } } } } } }')} }`,
  ],
  [
    'different arguments',
    `{ viewer { ${many(100, (n) => `turns(first: ${n}) { edges { cursor } }`)} } }`,
  ],
  [
    'unknown fields',
    `{ viewer { ${many(20, (n) => `t${n}: threads { edges { node { ${many(199, (k) => `turnz${k}`)} } } }`)} } }`,
  ],
  [
    'wrong values',
    `mutation { remember(input: {channel: "a", turns: [${many(1_500, (n) => `{text: "${n}", role: KING, tex: ""}`)}]}) { __typename } }`,
  ],
  [
    'many operations',
    `${many(99, (n) => `query Q${n} { viewer { ...F } }`)} fragment F on User { ${many(30, (n) => `a${n}: id`)} }`,
  ],
])('an accepted document is validated in under 100 ms: %s', (_what, query) => {
  const document = parse(query, { maxTokens: 20_000 });
  expect(excessOf(document)).toBeNull();
  expect(processorTime(() => validate(schema, document))).toBeLessThan(100);
});
