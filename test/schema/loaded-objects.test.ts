import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAll, fieldNames, selectAll } from '../support/graph.ts';
import { fullMemory } from '../support/samples/full-memory.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await fullMemory());
  world.configured({ server: { ...world.ctx.config.server, maxComplexity: 10_000_000 } });
  // As for a text that the rules took too long to read.
  await world.ctx.db.pool.query('UPDATE turns SET unread_by_rules = (id % 2 = 0)');
});
afterAll(() => world[Symbol.asyncDispose]());

/** What stands around every group of statements, and the reads of long texts: one for each place in a query. */
const FOR_EACH_PLACE = /set_config|COMMIT|^begin-|^commit$|^turn-contents-/;

/** The statements that were sent more often than for the places in a query that may need them. */
function repeated(places: number): string[] {
  const times = new Map<string, number>();
  for (const { name, text } of world.statements) {
    times.set(name ?? text, (times.get(name ?? text) ?? 0) + 1);
  }
  return [...times.keys()].filter(
    (sent) => (times.get(sent) ?? 0) > places && !FOR_EACH_PLACE.test(sent),
  );
}

it.each(fieldNames('User').filter((name) => name !== 'id'))(
  'viewer.%s loads what belongs to its rows with one statement, not with one for each row',
  async (field) => {
    world.statements.length = 0;
    await askAll(alex, field);
    expect(repeated(3)).toEqual([]);
  },
);

it.each([
  ['Turn', 'turn { thread { title } facts { statement } segment { title } readByRules }'],
  ['Fact', 'fact { turns { text } versions { number } supersededBy { statement } }'],
  ['Episode', 'episode { thread { title } turns { thread { title } } reviews { rating } }'],
  ['Episode', 'turns { thread { title } facts { statement } segment { title } readByRules }'],
])('recall loads what belongs to its hits with one statement: %s, %s', async (kind, selected) => {
  await recall(kind, selected);
  expect(repeated(2)).toEqual([]);
});

// Without relations, nothing is loaded: the objects are made of what the search has read.
it.each(
  ['Turn', 'Fact', 'Episode'].flatMap((kind) => [0, 1].map((depth) => [kind, depth] as const)),
)(
  'a %s that is returned with a hit has the same fields as by its id, %i objects deep',
  async (kind, depth) => {
    const fields = selectAll(kind, depth).replace('{', '{ id');
    const hits = await recall(kind, `object: ${kind.toLowerCase()} ${fields}`);
    for (const { object } of hits) {
      const query = `query ($id: ID!) { node(id: $id) { ... on ${kind} ${fields} } }`;
      const { body } = await alex.post({ query, variables: { id: object?.id } });
      expect(body.data).toEqual({ node: object });
    }
  },
);

type Found = { __typename: string; object?: { id: string } };

/** Recalls several hits of one kind, with what is selected of each. */
async function recall(kind: string, selected: string): Promise<Found[]> {
  world.statements.length = 0;
  const { body } = await alex.post({
    query: `query ($input: RecallInput!) {
      recall(input: $input) {
        ... on RecallPayload { hits { __typename ... on ${kind}Hit { ${selected} } } }
      }
    }`,
    variables: {
      input: {
        query: 'Which store holds our vectors? Where do I live? The cello, the barn, Vim, Python?',
        kinds: [kind.toUpperCase()],
        first: 50,
        detail: 'HIGH',
      },
    },
  });
  expect(body.errors).toBeUndefined();
  const { recall } = body.data as { recall: { hits: Found[] } };
  expect(recall.hits.length).toBeGreaterThan(2);
  return recall.hits;
}
