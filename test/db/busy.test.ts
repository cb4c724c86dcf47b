import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestDatabase,
  isOnCitus,
  isOnServer,
  type TestDatabase,
} from '../support/database/database.ts';
import { asUser, createTestServer, type TestServer } from '../support/server.ts';

let database: TestDatabase;
let server: TestServer;
beforeEach(async () => {
  database = await createTestDatabase();
  server = await createTestServer(
    {},
    { connection: { ...database, connection: { ...database.connection, max: 5 } } },
  );
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const REMEMBER = `mutation ($text: String!) {
  remember(input: { channel: "sms", turns: [{ text: $text }] }) {
    ... on RememberPayload { turns { status } } ... on Error { code } } }`;
const RECALL = '{ recall(input: { query: "cat" }) { ... on RecallPayload { hits { rank } } } }';
const PROFILE =
  '{ viewer { turnCount threads { edges { node { title turns { edges { node { text } } } } } } } }';

/** Who waits for a lock in this database, on any node. */
const BLOCKED = `SELECT FROM ${isOnCitus ? 'citus_stat_activity' : 'pg_stat_activity'}
WHERE wait_event_type = 'Lock' AND datname = current_database()`;

const remember = async (userId: string, text: string) =>
  server.post({ query: REMEMBER, variables: { text } }, await asUser(userId));
const ask = async (userId: string, query: string) => server.post({ query }, await asUser(userId));
const ready = async () => (await fetch(`${server.origin}/readyz`)).status;

// Citus has no triggers on distributed tables.
it.skipIf(isOnCitus).each(['55P03', '57014', '40P01'])(
  'a statement that PostgreSQL cancels (%s) fails as BUSY with a retry time',
  async (code) => {
    const { pool } = server.world.ctx.db;
    await pool.query(`CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'canceling statement' USING ERRCODE = '${code}'; END $$`);
    await pool.query('CREATE TRIGGER give_up BEFORE INSERT ON turns EXECUTE FUNCTION give_up()');
    const { status, headers, body } = await remember('ann', 'My cat is called Luna.');
    expect([status, Number(headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
    const [error] = body.errors ?? [];
    expect(error?.extensions).toMatchObject({ code: 'BUSY', retryable: true });
    expect(error?.extensions).toHaveProperty('retryAfter', Number(headers.get('retry-after')));
    expect(error?.message).toMatch(/^The server is busy/);
    await pool.query('DROP FUNCTION give_up CASCADE');
    expect((await remember('ann', 'My cat is called Luna.')).status).toBe(200);
  },
);

it('the health check of the database does not wait in the queue', async () => {
  const { db } = server.world.ctx;
  const held = await Promise.all(Array.from({ length: 5 }, () => db.pool.connect()));
  expect(await ready()).toBe(200);
  for (const client of held) client.release();
});

describe.runIf(isOnServer)('on a server', () => {
  it("a locked user row delays only that user's writes", async () => {
    await remember('ann', 'My cat is called Luna.');
    await remember('bob', 'My dog is called Rex.');
    const other = new pg.Client(database.connection as pg.ClientConfig);
    other.on('error', () => undefined);
    await other.connect();
    await other.query("BEGIN; SELECT FROM users WHERE user_id = 'ann' FOR UPDATE");
    const waiting = Array.from({ length: 30 }, (_, index) => remember('ann', `Turn ${index}.`));
    const { pool } = server.world.ctx.db;
    const blocked = async () => (await other.query(BLOCKED)).rowCount;
    await expect.poll(blocked).toBeGreaterThan(0);
    expect((await remember('bob', 'Rex likes tennis balls.')).status).toBe(200);
    expect((await ask('bob', RECALL)).status).toBe(200);
    expect((await ask('bob', PROFILE)).status).toBe(200);
    expect(await ready()).toBe(200);
    expect(await blocked()).toBeLessThanOrEqual(2);
    expect(pool.waitingCount).toBe(0);
    await other.query('ROLLBACK');
    await other.end();
    for (const { status, body } of await Promise.all(waiting)) {
      if (status !== 200) expect(body.errors).toMatchObject([{ extensions: { code: 'BUSY' } }]);
    }
  });
});
