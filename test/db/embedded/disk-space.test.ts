import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../../src/auth/api-keys.ts';
import { type Embedded, startEmbedded } from '../../../src/db/embedded/embedded.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { snapshot } from '../../support/database/database.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';

const RESERVE = 1_000_000;

let free = 2 * RESERVE;
let embedded: Embedded;
let server: TestServer;
let ann: { authorization: string };
beforeAll(async () => {
  embedded = await startEmbedded({
    folder: null,
    snapshot: await snapshot(),
    reserveBytes: RESERVE,
    measureDisk: async () => free,
    logger: createLogger('silent'),
  });
  const connection = { connection: embedded.connection, embedded: true, disk: embedded.disk };
  server = await createTestServer({}, { connection });
  ann = await asUser('ann');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await embedded[Symbol.asyncDispose]();
});

const REMEMBER = `mutation ($text: String!) {
  remember(input: { channel: "sms", turns: [{ text: $text, idempotencyKey: $text }] }) {
    ... on RememberPayload { turns { status turn { id } } } } }`;
const remember = (text: string) => server.post({ query: REMEMBER, variables: { text } }, ann);
const recall = async () => {
  const query = '{ recall(input: { query: "cat" }) { ... on RecallPayload { hits { rank } } } }';
  return (await server.post({ query }, ann)).body;
};
const settings = async () =>
  (await server.world.ctx.db.pool.query('SHOW default_transaction_read_only')).rows;
const fill = async () => {
  free = RESERVE - 1;
  await expect.poll(settings).toEqual([{ default_transaction_read_only: 'on' }]);
};
const clear = async () => {
  free = 2 * RESERVE;
  await expect.poll(settings).toEqual([{ default_transaction_read_only: 'off' }]);
};
const ready = async () => {
  const response = await fetch(`${server.origin}/readyz`);
  return { status: response.status, ...((await response.json()) as object) };
};

it('while the disk is nearly full, writes fail with advice and reads still work', async () => {
  expect((await remember('My cat is called Luna.')).status).toBe(200);
  await server.world.settle();
  await fill();
  const { status, body } = await remember('She is three.');
  expect(status).toBe(503);
  expect(body.errors).toMatchObject([
    {
      message: expect.stringMatching(/disk is nearly full.*Free some space/),
      extensions: { code: 'DATABASE_UNAVAILABLE', retryable: true, retryAfter: 1 },
    },
  ]);
  expect(await recall()).toEqual({ data: { recall: { hits: [{ rank: 1 }, { rank: 2 }] } } });
  expect(await ready()).toMatchObject({
    status: 503,
    ready: false,
    reason: 'DISK_LOW',
    reads: true,
    message: expect.stringContaining('DISK_RESERVE_MB'),
  });

  // No longer low only when there is clearly enough.
  free = RESERVE + 1;
  await expect.poll(() => embedded.disk?.freeBytes()).toBe(free);
  expect((await remember('She is three.')).status).toBe(503);
  await clear();
  expect((await remember('She is three.')).status).toBe(200);
  expect(await ready()).toEqual({ status: 200, ready: true });
});

it('the free disk space is measured', async () => {
  const { ctx } = server.world;
  const { secret } = await createApiKey(ctx, 'prometheus');
  const headers = { authorization: `Bearer ${secret}` };
  const text = async () => (await fetch(`${server.origin}/metrics`, { headers })).text();
  expect(await text()).toContain(`mnemograph_disk_free_bytes ${free}\n`);
  expect(await createMetrics().text()).not.toContain('mnemograph_disk_free_bytes 0');
});

it('a transaction in progress cannot write any more', async () => {
  const client = new pg.Client(embedded.connection);
  await client.connect();
  await client.query('BEGIN; CREATE TABLE notes (text text)');
  free = RESERVE - 1;
  const write = async () => {
    await client.query('SAVEPOINT here');
    const written = client.query(`INSERT INTO notes VALUES ('x')`);
    const code = await written.then(
      () => null,
      (error) => error.code,
    );
    await client.query('ROLLBACK TO here');
    return code;
  };
  await expect.poll(write).toBe('25006');
  await client.query('ROLLBACK');
  await client.end();
  await clear();
});

it('a user can forget while the disk is nearly full', async () => {
  const { body } = await remember('Forget me.');
  const { remember: stored } = body.data as unknown as {
    remember: { turns: [{ turn: { id: string } }] };
  };
  await fill();
  const query =
    'mutation ($turnId: ID!) { forget(input: { turnId: $turnId }) { ... on ForgottenCounts { turns } } }';
  const variables = { turnId: stored.turns[0].turn.id };
  const forgotten = await server.post({ query, variables }, ann);
  expect(forgotten.body.data).toEqual({ forget: { turns: 1 } });
  expect((await remember('And me.')).status).toBe(503);
  await clear();
});

it('running steps are released without losing an attempt, and run when there is space', async () => {
  const { ctx } = server.world;
  const { indexer } = ctx;
  let reached = () => {};
  const working = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let go = () => {};
  const filled = new Promise<void>((resolve) => {
    go = resolve;
  });
  const slow = {
    ...indexer,
    terms: async (texts: readonly string[]) => {
      reached();
      await filled;
      return indexer.terms(texts);
    },
  };
  await remember('My dog is called Rex.');
  await using _worker = await startWorker({ ...ctx, indexer: slow });
  await working;
  await fill();
  go();
  const steps = async () =>
    (
      await ctx.db.pool.query(
        `SELECT attempts, last_error, dead_at FROM jobs WHERE step = 'index-turns'`,
      )
    ).rows;
  await expect.poll(steps).toEqual([{ attempts: 1, last_error: null, dead_at: null }]);
  await clear();
  await expect.poll(steps).toEqual([]);
  const tried = 'SELECT step FROM jobs WHERE attempts > 1 OR dead_at IS NOT NULL';
  expect((await ctx.db.pool.query(tried)).rows).toEqual([]);
});
