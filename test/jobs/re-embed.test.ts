import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { catchUp } from '../../src/jobs/catch-up.ts';
import { embedTurns } from '../../src/remember/vectors/embed-turns.ts';
import { graphql } from '../support/generated/gql.ts';
import { createEmbeddingWorld, openEmbedder, vectorsOf } from '../support/models/model-embedder.ts';
import type { ModelServer } from '../support/models/model-server.ts';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import type { Client, World } from '../support/world.ts';

let server: ModelServer;
let world: World;
beforeAll(async () => {
  ({ server, world } = await createEmbeddingWorld());
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  world.with({ embedder: openEmbedder(server, { model: 'old' }) });
});

const INDEX = graphql(`
  query VectorIndex {
    viewer {
      vectorIndex {
        embedder
        total
        embedded
        pending
        skipped
        share
      }
      events(last: 20) {
        edges {
          node {
            kind
            decision
          }
        }
      }
    }
  }
`);
const EMBEDDING = graphql(`
  query Embedding {
    embedding {
      name
      dimension
      usersPending
      turnsPending
      profile {
        model
        calibrated
        vectorWeight
      }
    }
  }
`);
const FORGET = graphql(`
  mutation ForgetMeanwhile($input: ForgetInput!) {
    forget(input: $input) {
      __typename
      ... on ForgottenCounts {
        turns
        vectors
      }
    }
  }
`);

const indexOf = async (client: Client) => (await client.execute(INDEX)).viewer?.vectorIndex;
const decisions = async (client: Client, kind: string) =>
  ((await client.execute(INDEX)).viewer?.events.edges ?? [])
    .filter(({ node }) => node.kind === kind)
    .map(({ node }) => node.decision);
const recall = async (client: Client, query: string) => {
  const { turns, ...found } = await recallAll(client, { query, first: 20, kinds: ['TURN'] });
  return { ...found, hits: turns };
};
const stored = (userId: string) => vectorsOf(world, userId);
const later = (milliseconds: number) => {
  world.now = new Date(world.now.getTime() + milliseconds);
};
const HOUR = 3_600_000;

/** A user with so many turns, all with their vectors by the old model. */
async function remembering(userId: string, count: number) {
  const client = await world.user(userId);
  const turns = Array.from({ length: count }, (_, n) => ({ text: `pelican number ${n}` }));
  const said = await say(client, { channel: 'sms', turns });
  await world.settle();
  return { client, said };
}
/** Embeds one batch of a user's turns, and leaves the rest to do. */
const oneBatch = async (userId: string) =>
  expect(await embedTurns(world.ctx, userId)).toBe('again');

it('another model embeds all turns again in the background, and recall works before, during and after', async () => {
  const { client } = await remembering('switch', 80);
  expect(await stored('switch')).toEqual({ 'openai:old@8': 80 });
  expect((await recall(client, 'pelican number 7')).vectors).toBe('USED');

  world.with({ embedder: openEmbedder(server, { model: 'wide' }) });
  await catchUp(world.ctx);
  const before = await recall(client, 'pelican number 7');
  expect(before.vectors).toBe('PARTIAL');
  expect(before.hits.map((hit) => hit.turn.text)).toContain('pelican number 7');
  // Vectors of two models are never compared.
  expect(before.hits.every((hit) => hit.explain.similarity === null)).toBe(true);
  expect(await indexOf(client)).toMatchObject({ total: 80, embedded: 0, pending: 80, share: 0 });

  await oneBatch('switch');
  const during = await recall(client, 'pelican number 7');
  expect(during.vectors).toBe('PARTIAL');
  expect(during.hits[0]).toMatchObject({
    turn: { text: 'pelican number 7' },
    explain: { similarity: expect.closeTo(1, 2) },
  });
  expect((await recall(client, 'pelican number 79')).hits[0]?.turn.text).toBe('pelican number 79');
  expect(await indexOf(client)).toEqual({
    ...{ embedder: 'openai:wide@3072', total: 80 },
    ...{ embedded: 64, pending: 16, skipped: 0, share: 0.8 },
  });
  await expect(client.execute(EMBEDDING)).rejects.toThrow('FORBIDDEN');
  const key = await world.key();
  expect((await key.execute(EMBEDDING)).embedding).toEqual({
    ...{ name: 'openai:wide@3072', dimension: 3072, usersPending: 1, turnsPending: 16 },
    profile: { model: 'wide', calibrated: false, vectorWeight: 0.75 },
  });
  expect(await stored('switch')).toEqual({ 'openai:old@8': 80, 'openai:wide@3072': 64 });

  await world.settle();
  const after = await recall(client, 'pelican number 79');
  expect(after.vectors).toBe('USED');
  expect(after.hits[0]?.explain.similarity).toBeCloseTo(1, 2);
  expect(await indexOf(client)).toMatchObject({ embedded: 80, pending: 0, share: 1 });
  expect(await decisions(client, 'TURNS_EMBEDDED')).toEqual(
    expect.arrayContaining([
      'turns.embed (64 by openai:wide@3072)',
      'turns.embed (16 by openai:wide@3072)',
    ]),
  );
});

it('the vectors of the former model are deleted an hour after the new ones are complete, with an event', async () => {
  const { client } = await remembering('former', 3);
  world.with({ embedder: openEmbedder(server, { model: 'wide' }) });
  await catchUp(world.ctx);
  await world.settle();
  later(HOUR - 1_000);
  await world.settle();
  expect(await stored('former')).toEqual({ 'openai:old@8': 3, 'openai:wide@3072': 3 });
  later(1_000);
  await world.settle();
  expect(await stored('former')).toEqual({ 'openai:wide@3072': 3 });
  expect(await decisions(client, 'VECTORS_DROPPED')).toEqual([
    'vectors.drop (3 by openai:old@8; complete by openai:wide@3072)',
  ]);
  // Back again: everything is embedded anew.
  world.with({ embedder: openEmbedder(server, { model: 'old' }) });
  await catchUp(world.ctx);
  await world.settle();
  expect(await stored('former')).toEqual({ 'openai:old@8': 3, 'openai:wide@3072': 3 });
  expect((await recall(client, 'pelican number 1')).vectors).toBe('USED');
});

it('switching back before the end keeps all vectors and embeds nothing again', async () => {
  const { client } = await remembering('back', 80);
  world.with({ embedder: openEmbedder(server, { model: 'wide' }) });
  await catchUp(world.ctx);
  await oneBatch('back');
  world.with({ embedder: openEmbedder(server, { model: 'old' }) });
  server.requests.length = 0;
  expect((await recall(client, 'pelican number 79')).hits[0]?.explain.similarity).toBeCloseTo(1, 2);
  await catchUp(world.ctx);
  await world.settle();
  // One request tells the length of a vector, one embeds the query.
  expect(server.requests.flatMap(({ body }) => body.input)).not.toContain('pelican number 5');
  expect(server.requests.length).toBeLessThanOrEqual(2);
  later(HOUR);
  await world.settle();
  expect(await stored('back')).toEqual({ 'openai:old@8': 80 });
});

it('forgetting a turn during re-embedding erases its vectors of all models for good', async () => {
  const { client, said } = await remembering('forgetful', 80);
  const { ctx } = world;
  const wide = openEmbedder(server, { model: 'wide' });
  world.with({ embedder: wide });
  await catchUp(ctx);
  await oneBatch('forgetful');
  const [early, late] = [said[3], said[79]];
  world.with({
    embedder: {
      ...wide,
      ...(await wide.identify()),
      embed: async (texts, options) => {
        world.with({ embedder: wide });
        const input = { turnId: late?.id ?? '' };
        const { forget } = await client.execute(FORGET, { input });
        expect(forget).toMatchObject({ turns: 1, vectors: 2 });
        return wide.embed(texts, options);
      },
    },
  });
  await world.settle();
  expect(await stored('forgetful')).toEqual({ 'openai:old@8': 79, 'openai:wide@3072': 79 });
  const { forget } = await client.execute(FORGET, { input: { turnId: early?.id ?? '' } });
  // Two of the turn, two of its segment, one of the whole thread.
  expect(forget).toMatchObject({ turns: 1, vectors: 5 });
  await world.settle();
  expect(await stored('forgetful')).toEqual({ 'openai:old@8': 78, 'openai:wide@3072': 78 });
  expect(await indexOf(client)).toMatchObject({ total: 78, embedded: 78, pending: 0, skipped: 0 });
});
