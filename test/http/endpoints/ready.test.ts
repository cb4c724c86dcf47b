import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { startServer } from '../../../src/http/server.ts';
import { sayAt } from '../../support/samples/conversation.ts';
import { createTestServer, serve, type TestServer } from '../../support/server.ts';

let server: TestServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await createTestServer();
  ({ pool } = server.world.ctx.db);
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => {
  vi.useRealTimers();
});

const probe = async (path = '/readyz', origin = server.origin) => {
  const response = await fetch(`${origin}${path}`);
  return { status: response.status, body: await response.text() };
};
const ready = async (origin?: string) => {
  const { status, body } = await probe('/readyz', origin);
  const { reason = null } = JSON.parse(body) as { reason?: string };
  return { status, reason };
};
const READY = { status: 200, reason: null };

it('a working server is ready, and tells so without credentials', async () => {
  expect(await probe()).toEqual({ status: 200, body: '{"ready":true}' });
  expect(await probe('/healthz')).toEqual({ status: 200, body: 'ok' });
});

it('the server is ready with a database of a newer version, but not while migrations are pending', async () => {
  const { rows } = await pool.query(
    'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING *',
  );
  expect(await ready()).toEqual({ status: 503, reason: 'MIGRATIONS_PENDING' });
  expect((await probe('/healthz')).status).toBe(200);
  const { migration_name: name, id, checksum } = rows[0];
  const insert =
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, $2, $3, now())';
  await pool.query(insert, [id, checksum, name]);
  expect(await ready()).toEqual(READY);
  await pool.query(insert, ['x', 'x', '29991231000000_of_a_newer_version']);
  expect(await ready()).toEqual(READY);
  await pool.query(`DELETE FROM _prisma_migrations WHERE id = 'x'`);
});

it('the server is not ready when due steps wait for a worker too long, and ready again once they have run', async () => {
  const { world } = server;
  await sayAt(await world.user('stalled'), '08:00', 'Hello.');
  world.now = new Date(world.now.getTime() + 599_000);
  expect(await ready()).toEqual(READY);
  world.now = new Date(world.now.getTime() + 2_000);
  expect(await ready()).toEqual({ status: 503, reason: 'BACKLOG_STALLED' });
  expect((await probe()).body).toContain('waited for a worker for 601 s');
  const idle = await serve({ ...world.ctx, config: { ...world.ctx.config, workers: 0 } });
  expect(await ready(idle.origin)).toEqual(READY);
  await idle.stop();
  await world.settle();
  expect(await ready()).toEqual(READY);
});

it.each([
  ["waits for a model's server", 'parked_at = now()'],
  ['is dead and waits for a person', 'dead_at = now()'],
  ['is being run', `locked_until = 'infinity'`],
])('a step that %s does not count as stalled', async (_what, change) => {
  const { world } = server;
  await sayAt(await world.user('waits'), '08:00', 'Hello.');
  world.now = new Date(world.now.getTime() + 700_000);
  expect(await ready()).toEqual({ status: 503, reason: 'BACKLOG_STALLED' });
  await pool.query(`UPDATE jobs SET ${change} WHERE user_id = 'waits'`);
  expect(await ready()).toEqual(READY);
  await pool.query(`DELETE FROM jobs WHERE user_id = 'waits'`);
});

it('the server is ready while a table is locked, and not when the database has been silent for long, and answers in time', async () => {
  const { db } = server.world.ctx;
  const holder = await pool.connect();
  await holder.query('BEGIN; LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.world.statements.length = 0;
  const asked = ready();
  await expect.poll(() => server.world.sent(/^readiness/)).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  const busy = await asked;
  vi.useRealTimers();
  const silent = server.world.with({ db: { ...db, silence: () => 31_000 } });
  const away = await ready();
  silent[Symbol.dispose]();
  await holder.query('ROLLBACK');
  holder.release();
  expect([busy, away]).toEqual([READY, { status: 503, reason: 'DATABASE_AWAY' }]);
  expect(await ready()).toEqual(READY);
});

it('the server is not ready while the database is unreachable, and the process stays alive', async () => {
  const { config, builtInReasoner, rules, indexer } = server.world.ctx;
  const connection = { connection: { host: '127.0.0.1', port: 9 }, embedded: true };
  await using ctx = await createApp(config, { connection, builtInReasoner, rules, indexer });
  await using away = await startServer(ctx);
  const { origin } = new URL(away.url);
  expect(await ready(origin)).toEqual({ status: 503, reason: 'DATABASE_AWAY' });
  expect((await probe('/healthz', origin)).status).toBe(200);
});
