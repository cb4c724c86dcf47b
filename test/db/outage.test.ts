import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWorker } from '../../src/jobs/worker.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { type DatabaseProxy, startProxy } from '../support/network/proxy.ts';
import { asUser, createTestServer, type TestServer } from '../support/server.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let server: TestServer;
let ann: { authorization: string };
beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startProxy(database.connection);
  const { embedded } = database;
  server = await createTestServer({}, { connection: { connection: proxy.connection, embedded } });
  ann = await asUser('ann');
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const REMEMBER = `mutation ($text: String!) {
  remember(input: { channel: "sms", turns: [{ text: $text, idempotencyKey: $text }] }) {
    ... on RememberPayload { turns { status } } ... on Error { code } } }`;
const remember = (text: string) => server.post({ query: REMEMBER, variables: { text } }, ann);
const UNAVAILABLE = { code: 'DATABASE_UNAVAILABLE', retryable: true, retryAfter: 1 };

it('while the database is away every operation fails with 503 and when to try again, and then works', async () => {
  expect((await remember('Before.')).status).toBe(200);
  await proxy.cut();
  for (const query of [
    '{ viewer { turnCount threads { edges { node { title } } } } }',
    '{ recall(input: { query: "cat" }) { ... on RecallPayload { hits { rank } } } }',
    'mutation { remember(input: { channel: "sms", turns: [{ text: "Hi." }] }) { __typename } }',
  ]) {
    const { status, headers, body } = await server.post({ query }, ann);
    expect([status, headers.get('retry-after'), query]).toEqual([503, '1', query]);
    expect(body.errors).toMatchObject([{ extensions: UNAVAILABLE }]);
    expect(body.errors?.[0]?.message).toMatch(/^The database cannot be used at the moment\./);
  }
  const byKey = { authorization: 'Bearer mnemo_any' };
  expect((await server.post({ query: '{ apiKeys { id } }' }, byKey)).status).toBe(503);

  await proxy.restore();
  expect((await remember('Before.')).body.data).toEqual({
    remember: { turns: [{ status: 'ALREADY_STORED' }] },
  });
});

it('a subscription survives an outage of the database', async () => {
  const query = `subscription ($after: String!) {
    memoryEvents(kinds: [TURNS_REMEMBERED], after: $after) { number turns { text } } }`;
  await remember('Before.');
  const after = Buffer.from('event:0:ann').toString('base64url');
  const events = server.socket(ann).iterate({ query, variables: { after } });
  await events.next();
  const second = events.next();
  await proxy.cut();
  const failed = vi.spyOn(server.world.ctx.db, 'asUser');
  server.world.ctx.publisher.publish('ann');
  await expect.poll(() => failed.mock.settledResults.map(({ type }) => type)).toContain('rejected');
  await proxy.restore();
  expect((await remember('After.')).status).toBe(200);
  expect((await second).value).toMatchObject({
    data: { memoryEvents: { turns: [{ text: 'After.' }] } },
  });
});

it('repeated connection losses lose no turn, duplicate none and cost no step an attempt', async () => {
  await using _worker = await startWorker(server.world.ctx);
  const counts: Record<number, number> = { 200: 0, 503: 0 };
  let isAway = Promise.resolve();
  const untilStored = async (text: string) => {
    for (;;) {
      const { status, body } = await remember(text);
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 200) return;
      expect(body.errors).toMatchObject([{ extensions: UNAVAILABLE }]);
      await isAway;
    }
  };
  const texts = Array.from({ length: 150 }, (_, index) => `Turn ${index}.`);
  const cuts = async () => {
    for (let cut = 0; cut < 5; cut += 1) {
      await expect.poll(() => counts[200], { interval: 5 }).toBeGreaterThan(20 * cut);
      const { 503: refused = 0 } = counts;
      let back = () => {};
      isAway = new Promise((resolve) => {
        back = resolve;
      });
      await proxy.cut();
      await expect.poll(() => counts[503], { interval: 5 }).toBeGreaterThan(refused);
      await proxy.restore();
      back();
    }
  };
  const waiting = [...texts];
  const lane = async () => {
    for (let text = waiting.pop(); text; text = waiting.pop()) await untilStored(text);
  };
  await Promise.all([cuts(), lane(), lane(), lane(), lane()]);
  expect(Object.keys(counts)).toEqual(['200', '503']);

  const rows = async (sql: string) => (await server.world.ctx.db.pool.query(sql)).rows;
  expect(
    await rows('SELECT count(*)::int AS turns, count(DISTINCT text)::int AS texts FROM turns'),
  ).toEqual([{ turns: texts.length, texts: texts.length }]);
  await expect
    .poll(() => rows("SELECT step, attempts, last_error FROM jobs WHERE step = 'index-turns'"))
    .toEqual([]);
  expect(await rows('SELECT step FROM jobs WHERE attempts > 1 OR dead_at IS NOT NULL')).toEqual([]);
});
