import { operation } from '../call.ts';
import { atOnce, bounded, type HostileOperation } from './bounded.ts';

const LIST = 'turns(first: 100) { edges { node { id text } } }';

const times = (count: number, make: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);

const query = (text: string, variables: object = {}) =>
  bounded({ body: operation(text, variables) });

const listed = (count: number) =>
  query(`{ viewer { ${times(count, (index) => `a${index}: ${LIST}`)} } }`);

const TYPES = '__schema { types { name fields { name type { name kind ofType { name } } } } }';

const deepType = (depth: number): string =>
  depth === 0 ? 'name' : `ofType { ${deepType(depth - 1)} }`;

const deepTurns = (depth: number): string =>
  `turns(first: 10) { edges { node { ${depth === 0 ? 'id' : `thread { ${deepTurns(depth - 1)} }`} } } }`;

/** Fragments that use the next one twice each, so that the last is used 2^n times. */
const bomb = (depth: number) => {
  const twice = (index: number) => (index < depth ? `userId ...F${index} ...F${index}` : 'userId');
  const fragment = (index: number) =>
    `fragment F${index} on User { a${index}: ${twice(index + 1)} }`;
  return `{ viewer { ...F0 } } ${times(depth, fragment)}`;
};

/** Queries that cost more than they seem to. */
export const GRAPH_OPERATIONS: Record<string, HostileOperation> = {
  'aliases-10': listed(10),
  'aliases-50': listed(50),
  'aliases-100': listed(100),
  'aliases-at-the-top': query(`{ ${times(20, (index) => `a${index}: viewer { ${LIST} }`)} }`),
  'four-long-answers-at-once': atOnce(4, listed(30)),
  'ten-long-answers-at-once': atOnce(10, listed(50)),
  introspection: query(`{ ${TYPES} }`),
  'introspection-by-aliases': query(`{ ${times(100, (index) => `a${index}: ${TYPES}`)} }`),
  'introspection-deep': query(`{ __schema { types { fields { type { ${deepType(40)} } } } } }`),
  'different-arguments': query(
    `{ viewer { ${times(2_500, (index) => `turns(first: ${index % 100}) { __typename }`)} } }`,
  ),
  'one-field-10000-times': query(`{ viewer { ${times(10_000, () => 'userId')} } }`),
  'aliases-10000': query(`{ viewer { ${times(10_000, (index) => `a${index}: __typename`)} } }`),
  'fragment-bomb': query(bomb(30)),
  'fragment-cycle': query(
    '{ viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }',
  ),
  'fragments-unused': query(
    `{ viewer { userId } } ${times(5_000, (index) => `fragment F${index} on User { userId }`)}`,
  ),
  'nesting-by-the-schema': query(`{ viewer { ${deepTurns(20)} } }`),
  'nesting-10000-deep': query(`${'{ viewer '.repeat(10_000)}${'}'.repeat(10_000)}`),
  'lists-10000-deep': query(`{ nodes(ids: ${'['.repeat(10_000)}${']'.repeat(10_000)}) { id } }`),
  'directives-5000': query(`{ viewer { userId ${times(5_000, () => '@include(if: true)')} } }`),
  'directives-unknown': query(`{ viewer { userId ${times(5_000, (index) => `@d${index}`)} } }`),
  'variables-5000': query(
    `query (${times(5_000, (index) => `$v${index}: Int = ${index}`, ', ')}) { viewer { userId } }`,
  ),
  'fields-unknown': query(`{ viewer { ${times(5_000, (index) => `turnz${index}`)} } }`),
  'comments-8-MB': query(`{ viewer { userId } } ${'#,\n'.repeat(2_400_000)}`),
  'pages-huge': query('{ viewer { turns(first: 2147483647) { edges { node { text } } } } }'),
  'cursors-odd': query(
    '{ viewer { turns(first: 100, after: "__proto__") { edges { node { id } } } } }',
  ),
  'nodes-10000': query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: Array.from({ length: 10_000 }, (_, index) => `VHVybjo${index}`),
  }),
  'variables-odd': query('query ($input: RecallInput!) { recall(input: $input) { __typename } }', {
    input: {
      query: 'x',
      ...Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i])),
    },
  }),
};

const recall = (asked: string) =>
  query(
    'query ($q: String!) { recall(input: { query: $q }) { ... on Error { message } ... on RecallPayload { hits { score } } } }',
    {
      q: asked,
    },
  );
const COMMAS = ','.repeat(10_000);

/** Questions that take the rules long to read. */
export const QUESTIONS: Record<string, HostileOperation> = {
  'recall-commas': recall(COMMAS),
  'recall-commas-by-aliases': query(
    `query ($q: String!) { ${times(20, (index) => `a${index}: recall(input: { query: $q }) { __typename }`)} }`,
    { q: COMMAS },
  ),
  'recall-ten-at-once': atOnce(10, recall('what did we say about the harbour '.repeat(290))),
  'recall-thai': recall('ที่ทะเลเมื่อวาน'.repeat(600)),
  'context-commas': query(
    'query ($m: String!) { context(input: { message: $m }) { ... on Error { message } ... on ContextPayload { tokens } } }',
    { m: COMMAS },
  ),
};
