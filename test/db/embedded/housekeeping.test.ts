import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { type Embedded, startEmbedded } from '../../../src/db/embedded/embedded.ts';

const NEVER = 3_600_000;

let database: Embedded;
let client: pg.Client;

async function start(housekeeping: { everyMs: number; lookEveryMs: number }): Promise<void> {
  database = await startEmbedded({
    folder: null,
    housekeeping: { ...housekeeping, scrubAfterMs: NEVER },
  });
  client = new pg.Client(database.connection);
  await client.connect();
}

const statsOf = async (name: string) => {
  const { rows } = await client.query<{ rows: number; vacuums: number; toastVacuums: number }>(
    `SELECT c.reltuples::int AS rows, own.vacuum_count::int AS vacuums, toast.vacuum_count::int AS "toastVacuums"
     FROM pg_class c JOIN pg_stat_all_tables own ON own.relid = c.oid
     JOIN pg_stat_all_tables toast ON toast.relid = c.reltoastrelid WHERE c.relname = $1`,
    [name],
  );
  return rows[0];
};

afterEach(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

it('a table has statistics soon after it has grown, without waiting for the next round', async () => {
  await start({ everyMs: NEVER, lookEveryMs: 20 });
  await client.query('CREATE TABLE things (id int, text text)');
  await client.query('INSERT INTO things SELECT n FROM generate_series(1, 200) AS n');
  await expect.poll(async () => (await statsOf('things'))?.rows).toBe(200);
  await client.query('INSERT INTO things SELECT n FROM generate_series(1, 700) AS n');
  await expect.poll(async () => (await statsOf('things'))?.rows).toBe(900);
});

it('the long texts of a table are vacuumed only when some were deleted', async () => {
  await start({ everyMs: 20, lookEveryMs: NEVER });
  await client.query('CREATE TABLE things (id int, text text)');
  await client.query('ALTER TABLE things ALTER text SET STORAGE EXTERNAL');
  await client.query(
    `INSERT INTO things SELECT n, repeat('x', 9000) FROM generate_series(1, 1200) AS n`,
  );
  await expect.poll(async () => (await statsOf('things'))?.vacuums).toBeGreaterThan(0);
  expect(await statsOf('things')).toMatchObject({ toastVacuums: 0 });
  await client.query('DELETE FROM things WHERE id <= 600');
  await expect.poll(async () => (await statsOf('things'))?.toastVacuums).toBeGreaterThan(0);
});
