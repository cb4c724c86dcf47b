import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { keyFor } from '../../support/keys.ts';
import { createTestServer, serve, type TestServer } from '../../support/server.ts';

const LIST = '{ apiKeys { name lastUsedAt } }';
const ASK = '{ session { kind } }';
const MINUTE = 60_000;

const logged: object[] = [];
let server: TestServer;
let admin: Awaited<ReturnType<typeof keyFor>>;
beforeAll(async () => {
  const write = (line: string) => void logged.push(JSON.parse(line));
  server = await createTestServer({}, { logger: createLogger('warn', { write }) });
  admin = await keyFor(server, null, 'ALL');
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  // Later than any use before.
  server.world.now = new Date(server.world.now.getTime() + 60 * MINUTE);
});

const pass = (milliseconds: number) => {
  server.world.now = new Date(server.world.now.getTime() + milliseconds);
};

async function listed(name: string): Promise<string | null | undefined> {
  const { data } = await admin.post(LIST);
  const keys = data?.apiKeys as unknown as { name: string; lastUsedAt: string | null }[];
  return keys.find((key) => key.name === name)?.lastUsedAt;
}

const writes = () => server.world.sent(/^api-keys-note-uses$/).length;

it('a key says when it was last used, to the minute', async () => {
  const { post } = await keyFor(server, 'used', 'READ');
  expect(await listed('used READ')).toBeNull();
  const first = server.world.now.toISOString();
  await post(ASK);
  expect(await listed('used READ')).toBe(first);
  pass(MINUTE - 1);
  await post(ASK);
  expect(await listed('used READ')).toBe(first);
  pass(1);
  await post(ASK);
  expect(await listed('used READ')).toBe(server.world.now.toISOString());
});

it('requests cost no statement for it; all keys are stored by one', async () => {
  const keys = await Promise.all(
    ['one', 'two', 'three'].map((userId) => keyFor(server, userId, 'READ')),
  );
  await server.world.ctx.keyUses.flush();
  server.world.statements.length = 0;
  for (const { post } of [...keys, ...keys]) await post(ASK);
  expect(writes()).toBe(0);
  const now = server.world.now.toISOString();
  for (const userId of ['one', 'two', 'three']) expect(await listed(`${userId} READ`)).toBe(now);
  expect(writes()).toBe(1);
});

it('another process that saw the key in the same minute leaves its row alone, and one that stops stores what it knows', async () => {
  const { key, post, headers } = await keyFor(server, 'shared', 'READ');
  const { config, db } = server.world.ctx;
  const { connectionString } = db.pool.options;
  const connection = connectionString ? { connectionString } : db.pool.options;
  const rowOf = async () => {
    const { rows } = await db.pool.query(
      'SELECT last_used_at AS at, xmin::text AS version FROM api_keys WHERE id = $1',
      [key.id],
    );
    return rows[0] as { at: Date; version: string };
  };
  await post(ASK);
  await server.world.ctx.keyUses.flush();
  const stored = await rowOf();
  const useElsewhere = async () => {
    await using second = await createApp(config, {
      connection: { connection, embedded: db.embedded },
      clock: () => server.world.now,
    });
    const other = await serve(second);
    await other.post({ query: ASK }, headers);
    await other.stop();
  };
  pass(MINUTE / 2);
  await useElsewhere();
  expect(await rowOf()).toEqual(stored);
  pass(MINUTE);
  await useElsewhere();
  expect((await rowOf()).at).toEqual(server.world.now);
});

it('a use that could not be stored is logged, and the next one is noted again', async () => {
  const { post } = await keyFor(server, 'stubborn', 'READ');
  const { pool } = server.world.ctx.db;
  await server.world.ctx.keyUses.flush();
  logged.length = 0;
  try {
    await pool.query(
      `ALTER TABLE api_keys ADD CONSTRAINT stubborn CHECK (name <> 'stubborn READ') NOT VALID`,
    );
    await post(ASK);
    await server.world.ctx.keyUses.flush();
  } finally {
    await pool.query('ALTER TABLE api_keys DROP CONSTRAINT stubborn');
  }
  expect(logged).toMatchObject([{ msg: 'api_key.note_failed', err: { code: '23514' }, keys: 1 }]);
  await post(ASK);
  expect(await listed('stubborn READ')).toBe(server.world.now.toISOString());
});

it('a memory that is forgotten or exported says nothing of it, and only who manages keys reads it', async () => {
  const { post, headers } = await keyFor(server, 'gone', 'ALL');
  const used = server.world.now.toISOString();
  await post('mutation { remember(input: { turns: [{ text: "Mine." }] }) { __typename } }');
  const archive = await (await fetch(`${server.origin}/export/gone`, { headers })).text();
  expect(archive).toContain('Mine.');
  expect(archive).not.toMatch(/last_?used/i);
  expect((await post(LIST)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  await admin.post(
    'mutation { forget(input: { everythingOf: "gone" }) { ... on ForgottenCounts { turns } } }',
  );
  expect(await listed('gone ALL')).toBe(used);
});
