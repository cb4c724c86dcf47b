import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Slice } from '../../src/db/vectors/vector-index.ts';
import { catchUp } from '../../src/jobs/catch-up.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { embedTurns } from '../../src/remember/vectors/embed-turns.ts';
import { TAP, talk } from '../support/episodes.ts';
import { RECORD } from '../support/facts.ts';
import { graphql } from '../support/generated/gql.ts';
import { createEmbeddingWorld, openEmbedder, vectorsOf } from '../support/models/model-embedder.ts';
import { type ModelServer, refuse } from '../support/models/model-server.ts';
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

/** So long that it fits into no batch with others: a batch holds 30,000 characters. */
const LONG = 'It is quiet here. '.repeat(1_700);
const TURNS = ['pelican number 0', 'pelican number 1', 'pelican number 2', LONG, 'heron number 4'];

const INDEX = graphql(`
  query IndexedBy {
    viewer {
      vectorIndex {
        embedder
      }
    }
  }
`);

/** A user who has said something, with its vectors by the old model. */
async function remembering(userId: string, texts: readonly string[]) {
  const client = await world.user(userId);
  await say(client, { channel: 'sms', turns: texts.map((text) => ({ text })) });
  await world.settle();
  return client;
}

/** How vectors were used, and the similarity of each turn that was found. */
async function asked(client: Client, query: string) {
  const { vectors, turns } = await recallAll(client, { query, first: 20, kinds: ['TURN'] });
  const similarities = turns.map(({ turn, explain }) => [turn.text, explain.similarity] as const);
  return { vectors, similarities: new Map(similarities) };
}

it('during a switch of the embedder only vectors of the new model are compared, and recall works throughout', async () => {
  const client = await remembering('switch', TURNS);
  const stored = () => vectorsOf(world, 'switch');
  expect(await stored()).toEqual({ 'openai:old@8': 5 });
  expect((await asked(client, 'heron number 4')).vectors).toBe('USED');

  world.with({ embedder: openEmbedder(server, { model: 'wide' }) });
  await catchUp(world.ctx);
  const before = await asked(client, 'pelican number 1');
  expect(before.vectors).toBe('PARTIAL');
  expect(before.similarities.size).toBeGreaterThanOrEqual(3);
  expect([...before.similarities.values()].every((similarity) => similarity === null)).toBe(true);

  expect(await embedTurns(world.ctx, 'switch')).toBe('again');
  expect(await stored()).toEqual({ 'openai:old@8': 5, 'openai:wide@3072': 3 });
  const during = await asked(client, 'pelican number 1');
  expect(during.vectors).toBe('PARTIAL');
  expect(during.similarities.get('pelican number 1')).toBeCloseTo(1, 2);
  const notYet = await asked(client, 'heron number 4');
  expect(notYet.similarities.get('heron number 4')).toBeNull();

  await world.settle();
  expect(await stored()).toEqual({ 'openai:old@8': 5, 'openai:wide@3072': 5 });
  const after = await asked(client, 'heron number 4');
  expect(after.vectors).toBe('USED');
  expect(after.similarities.get('heron number 4')).toBeCloseTo(1, 2);
});

it('catching up queues every user with outdated vectors once, some users at a time', async () => {
  const { ctx } = world;
  const users = Array.from({ length: 7 }, (_, n) => `many-${n}`);
  for (const userId of users) await remembering(userId, ['pelican']);
  const name = 'openai:other@8';
  const seen: (string | null)[] = [];
  let after: string | null = '';
  while (after !== null) {
    const slice: Slice = { after, look: 3, queue: 2, revive: false, thorough: false };
    after = (await ctx.deployment().vectorIndex.queueOutdated(name, slice, world.now)).last;
    seen.push(after);
  }
  const { rows } = await ctx.db.pool.query(
    `SELECT user_id, triggers FROM jobs WHERE step = 'embed-turns' AND user_id LIKE 'many-%' ORDER BY 1`,
  );
  expect(rows).toEqual(users.map((user_id) => ({ user_id, triggers: 1 })));
  expect(new Set(seen).size).toBe(seen.length);
  expect(await ctx.deployment().vectorIndex.underWay()).toBeGreaterThanOrEqual(7);
  await world.settle();
});

it('a starting worker queues users with outdated vectors and revives dead jobs, even if the model is unavailable at first', {
  timeout: 60_000,
}, async () => {
  const client = await remembering('restart', ['pelican', 'heron']);
  const { ctx } = world;
  let away = true;
  const answer = server.answer;
  server.answer = (request, index) => (away ? refuse(503) : answer(request, index));
  world.now = new Date();
  await ctx.db.pool.query(
    `INSERT INTO jobs (user_id, step, attempts, dead_at) VALUES ('restart', 'embed-turns', 5, now())`,
  );
  world.with({ embedder: openEmbedder(server, { model: 'wide' }, { pause: 10, retries: 0 }) });
  const worker = await startWorker(ctx);
  await expect.poll(() => server.requests.length).toBeGreaterThan(0);
  expect((await client.execute(INDEX)).viewer?.vectorIndex?.embedder).toBeNull();
  expect((await asked(client, 'pelican')).vectors).toBe('NOT_READY');
  away = false;
  await worker[Symbol.asyncDispose]();
  await using _again = await startWorker(ctx);
  await expect
    .poll(() => vectorsOf(world, 'restart'), { timeout: 40_000 })
    .toEqual({ 'openai:old@8': 2, 'openai:wide@3072': 2 });
  server.answer = answer;
});

it('what was said and known while there was no embedder gets its vectors when there is one', async () => {
  world.with({ embedder: null });
  world.now = new Date('2026-03-02T12:00:00Z');
  const later = await world.user('later');
  await say(later, { channel: 'sms', turns: talk(TAP, '2026-03-01T09:00:00Z') });
  const known = await world.user('known');
  const fact = { category: 'INTEREST', value: 'sailing', statement: 'likes sailing' } as const;
  await known.execute(RECORD, { input: fact });
  await world.settle();
  const { pool } = world.ctx.db;
  const waiting = async (table: string, vectors: string, key: string) => {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE v.user_id IS NULL)::int AS without FROM ${table} m
       LEFT JOIN ${vectors} v ON v.user_id = m.user_id AND v.${key} = m.id WHERE m.user_id IN ('later', 'known')`,
    );
    return rows[0];
  };
  const episodes = () => waiting('episodes', 'episode_vectors', 'episode_id');
  const facts = () => waiting('facts', 'fact_vectors', 'fact_id');
  expect((await episodes()).without).toBeGreaterThan(0);
  world.with({ embedder: openEmbedder(server, { model: 'old' }) });
  await catchUp(world.ctx, { revive: true });
  await world.settle();
  expect([(await episodes()).without, (await facts()).without]).toEqual([0, 0]);
  expect((await facts()).all).toBeGreaterThan(0);
});
