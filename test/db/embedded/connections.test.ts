import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Embedded } from '../../../src/db/embedded/embedded.ts';
import { startEmpty } from '../../support/database/database.ts';

/** Housekeeping is a client, too: it would wait. */
const NEVER = { everyMs: 3_600_000, lookEveryMs: 3_600_000 };

let embedded: Embedded;
let pool: pg.Pool;

beforeAll(async () => {
  embedded = await startEmpty({ idleTransactionMs: 300, housekeeping: NEVER });
  pool = new pg.Pool({ ...embedded.connection, max: 6, pipeline: true });
  pool.on('error', () => {});
  await pool.query('CREATE TABLE notes (writer int, round int, setting text)');
}, 30_000);

afterAll(async () => {
  await pool.end();
  await embedded[Symbol.asyncDispose]();
});

it('the embedded database keeps interleaved transactions and their settings apart', async () => {
  const write = async (writer: number) => {
    for (let round = 0; round < 20; round += 1) {
      const client = await pool.connect();
      await client.query(`BEGIN; SELECT set_config('mnemograph.user_id', 'w${writer}', true)`);
      await delay(Math.random() * 3);
      const insert = `INSERT INTO notes VALUES ($1, $2, current_setting('mnemograph.user_id'))`;
      await client.query({ name: 'insert', text: insert, values: [writer, round] });
      await delay(Math.random() * 3);
      await client.query(round % 2 ? 'ROLLBACK' : 'COMMIT');
      client.release();
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(write));

  const { rows } = await pool.query(
    `SELECT writer, count(*)::int AS rounds, array_agg(DISTINCT setting) AS settings,
            count(*) FILTER (WHERE round % 2 = 1)::int AS rolled_back
     FROM notes GROUP BY writer ORDER BY writer`,
  );
  expect(rows).toEqual(
    [1, 2, 3, 4, 5, 6].map((writer) => ({
      writer,
      rounds: 10,
      settings: [`w${writer}`],
      rolled_back: 0,
    })),
  );
});

it('the embedded database answers every connection its own statement, prepared under one name or unnamed', async () => {
  const ask = async (asker: number) => {
    const client = await pool.connect();
    for (let round = 0; round < 50; round += 1) {
      const text = `SELECT $1::int + ${asker} AS sum`;
      const named = await client.query({ name: 'sum', text, values: [round] });
      const unnamed = await client.query(`SELECT $1::text AS asker, ${asker} AS number`, [asker]);
      expect(named.rows).toEqual([{ sum: round + asker }]);
      expect(unnamed.rows).toEqual([{ asker: String(asker), number: asker }]);
      await expect(client.query('SELECT $1::int / 0', [round])).rejects.toThrow('division');
    }
    client.release();
  };
  await Promise.all([100, 200, 300, 400].map(ask));
});

const prepared = async (like: string) => {
  const counted = `SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE $1`;
  return (await pool.query<{ count: number }>(counted, [like])).rows[0]?.count;
};

it('a statement that several connections prepare is prepared once', async () => {
  const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
  const query = { name: 'shared', text: 'SELECT $1::int + 1000 AS sum', values: [1] };
  const answers = await Promise.all(clients.map((client) => client.query(query)));
  for (const client of clients) client.release();
  expect(answers.map(({ rows }) => rows)).toEqual(Array(3).fill([{ sum: 1001 }]));
  expect(await prepared('%+ 1000 AS sum')).toBe(1);
});

it('a statement that could not be prepared can be prepared later, by any connection', async () => {
  const [first, second] = [await pool.connect(), await pool.connect()];
  const query = { name: 'later', text: 'SELECT count(*)::int AS count FROM later', values: [] };
  await expect(first.query(query)).rejects.toThrow('does not exist');
  await first.query('CREATE TABLE later ()');
  expect((await second.query(query)).rows).toEqual([{ count: 0 }]);
  expect((await first.query(query)).rows).toEqual([{ count: 0 }]);
  first.release();
  second.release();
});

it('the embedded database rolls back a client that vanishes in a transaction, and serves the others', async () => {
  const client = new pg.Client(embedded.connection);
  client.on('error', () => {});
  await client.connect();
  await client.query('BEGIN; INSERT INTO notes VALUES (99, 0, null)');
  const others = pool.query('SELECT count(*)::int AS count FROM notes WHERE writer = 99');
  (
    client as unknown as { connection: { stream: { destroy(): void } } }
  ).connection.stream.destroy();
  expect((await others).rows).toEqual([{ count: 0 }]);
});

it('the embedded database ends a transaction that idles while others wait', async () => {
  const client = new pg.Client(embedded.connection);
  const errors: Error[] = [];
  client.on('error', (error) => errors.push(error));
  await client.connect();
  await client.query('BEGIN; INSERT INTO notes VALUES (98, 0, null)');
  const others = await pool.query('SELECT FROM notes WHERE writer = 98');
  expect(others.rowCount).toBe(0);
  await expect.poll(() => errors[0]).toMatchObject({ code: '25P03' });
});

it('a client that has ended its transaction does not count as waiting', async () => {
  const [first, second] = [await pool.connect(), await pool.connect()];
  await first.query('BEGIN');
  const begun = second.query('BEGIN');
  await Promise.all([first.query('INSERT INTO notes VALUES (97, 0, null)'), first.query('COMMIT')]);
  await begun;
  await delay(600);
  expect((await second.query('SELECT FROM notes WHERE writer = 97')).rowCount).toBe(1);
  await second.query('COMMIT');
  first.release();
  second.release();
});

it('the embedded database delivers a notification to those who listen', async () => {
  const [listener, deaf] = [await pool.connect(), await pool.connect()];
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => heard.push(`listener ${payload}`));
  deaf.on('notification', ({ payload }) => heard.push(`deaf ${payload}`));
  await listener.query('LISTEN events');
  await deaf.query(`SELECT pg_notify('events', 'one')`);
  await deaf.query(`BEGIN; SELECT pg_notify('events', 'never'); ROLLBACK`);
  await expect.poll(() => heard).toEqual(['listener one']);
  await listener.query('UNLISTEN events');
  listener.release();
  deaf.release();
});

it('the embedded database takes and returns a parameter of megabytes', async () => {
  const text = 'x'.repeat(5_000_000);
  const { rows } = await pool.query('SELECT length($1) AS length, $1 AS text', [text]);
  expect(rows[0]).toEqual({ length: text.length, text });
});
