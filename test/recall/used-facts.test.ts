import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { RECORD } from '../support/facts.ts';
import { graphql } from '../support/generated/gql.ts';
import { recallAll } from '../support/recall.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

const USED = graphql(`
  query UsedFacts {
    viewer {
      facts(first: 50) {
        edges {
          node {
            value
            lastAccessedAt
          }
        }
      }
    }
  }
`);

/** The values of the facts that are marked as used. */
async function usedBy(client: Client): Promise<string[]> {
  const { viewer } = await client.execute(USED);
  const facts = viewer?.facts.edges.map(({ node }) => node) ?? [];
  return facts.flatMap(({ value, lastAccessedAt }) => (lastAccessedAt ? value : [])).sort();
}

/** A user with more pinned facts than a small budget has room for. */
async function ownerOfMany(name: string): Promise<Client> {
  const client = await world.user(name);
  for (const number of Array.from({ length: 16 }, (_, index) => index + 1)) {
    const town = `town ${number}`;
    const statement = `The user has spent a long and rainy winter with old friends in ${town}.`;
    const input = { category: 'EXPERIENCE', value: town, statement, pinned: true } as const;
    await client.execute(RECORD, { input });
  }
  return client;
}

it('a recall marks only those facts as used for which its token budget has room', async () => {
  const client = await ownerOfMany('recalled');
  const { facts, leftOut } = await recallAll(client, { query: 'Which boat?', maxTokens: 150 });
  expect(facts.length).toBeGreaterThan(0);
  expect(leftOut.facts).toBeGreaterThan(0);
  await expect.poll(() => usedBy(client)).toEqual(facts.map(({ value }) => value).sort());
});

it('a context marks only those facts as used that it contains', async () => {
  const client = await ownerOfMany('prompted');
  const { facts, leftOut } = await contextOf(client, {
    ...{ channel: 'sms', message: 'Which boat?', maxTokens: 200 },
  });
  expect(facts.length).toBeGreaterThan(0);
  expect(leftOut.facts).toBeGreaterThan(0);
  await expect.poll(() => usedBy(client)).toEqual(facts.map(({ value }) => value).sort());
});
