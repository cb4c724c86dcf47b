import { afterAll, beforeAll, expect, it } from 'vitest';
import { FLAT, linksOf, rate, tellThreads } from '../support/links.ts';
import { withNotedListeners } from '../support/noted-listeners.ts';
import { asUser, createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const listeners = new Set<unknown>();
beforeAll(async () => {
  server = await createTestServer({}, {}, (ctx) => ({
    ...ctx,
    publisher: withNotedListeners(ctx.publisher, listeners),
  }));
});
afterAll(() => server[Symbol.asyncDispose]());

const LINKING = `subscription {
  linking {
    stage thread { turnCount } earlierThread { turnCount }
    algorithm { score related confidence parts { keyword recency } } reasoner { related confidence }
    link { verdict certainty outcome reasoning } episode { kind threads { turnCount } } tuningRun { kind kept }
  }
}`;
const NONE = {
  thread: null,
  earlierThread: null,
  algorithm: null,
  reasoner: null,
  link: null,
  episode: null,
  tuningRun: null,
};

it('the owner, and nobody else, can watch linking live: candidate, assessments, verdict, episode, outcome and tuning', async () => {
  const { world } = server;
  const client = await world.user('watcher');
  await tellThreads(world, client, [FLAT[0]]);
  const socket = server.socket(await asUser('watcher'));
  const progress = socket.iterate({ query: LINKING });
  const first = progress.next();
  await expect.poll(() => listeners.size).toBe(1);
  await tellThreads(world, await world.user('somebody-else'), [FLAT[0], FLAT[1]]);
  await tellThreads(world, client, [FLAT[1]], { from: '2026-03-02T09:00:00Z' });
  const next = async (own = progress.next()) =>
    ((await own).value as { data: { linking: object } }).data.linking;
  const both = { ...NONE, thread: { turnCount: 2 }, earlierThread: { turnCount: 2 } };
  const assessed = { related: true, confidence: expect.any(Number) };
  expect([await next(first), await next(), await next(), await next(), await next()]).toEqual([
    { ...both, stage: 'CANDIDATE' },
    {
      ...both,
      stage: 'ALGORITHM',
      algorithm: {
        ...assessed,
        score: expect.any(Number),
        parts: { keyword: expect.any(Number), recency: expect.any(Number) },
      },
    },
    { ...both, stage: 'REASONER', reasoner: assessed },
    {
      ...both,
      stage: 'VERDICT',
      link: {
        verdict: 'LINK',
        certainty: 'HIGH',
        outcome: 'UNKNOWN',
        reasoning: expect.any(String),
      },
    },
    {
      ...NONE,
      stage: 'EPISODE',
      episode: { kind: 'CROSS_THREAD', threads: [{ turnCount: 2 }, { turnCount: 2 }] },
    },
  ]);
  // It tells something now.
  expect(await next()).toMatchObject({ stage: 'EPISODE' });
  const [link] = (await linksOf(client)).links;
  await rate(client, link?.id ?? '', 'CORRECT');
  expect(await next()).toMatchObject({
    stage: 'OUTCOME',
    link: { verdict: 'LINK', outcome: 'CORRECT' },
  });
  await client.post({ query: 'mutation { tuneLinking { ... on TuningRun { kept } } }' });
  expect(await next()).toEqual({
    ...NONE,
    stage: 'TUNING',
    tuningRun: { kind: 'TUNED', kept: false },
  });
  const quiet = Promise.race([progress.next(), Promise.resolve('nothing more')]);
  expect(await quiet).toBe('nothing more');
  await progress.return?.();
  await expect.poll(() => listeners.size).toBe(0);
});
