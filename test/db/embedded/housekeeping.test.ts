import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import {
  type Embedded,
  type EmbeddedOptions,
  startEmbedded,
} from '../../../src/db/embedded/embedded.ts';
import { startEmpty } from '../../support/database/database.ts';

const NEVER = 3_600_000;
/** Several statements make housekeeping look: they come soon after another. */
const SOON = { interval: 5 };

let folder: string | null = null;
let database: Embedded;
let client: pg.Client;

async function start(housekeeping: NonNullable<EmbeddedOptions['housekeeping']>): Promise<void> {
  database = folder
    ? await startEmbedded({ folder, flush: false, housekeeping })
    : await startEmpty({ housekeeping });
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

/** Runs a statement whose rows are counted at once: PostgreSQL would wait for the next second. */
async function write(text: string): Promise<void> {
  await client.query(text);
  await client.query('SELECT pg_stat_force_next_flush()');
}

afterEach(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
  if (folder) await rm(folder, { recursive: true });
  folder = null;
});

it('a table has statistics soon after it has grown, without waiting for the next round', async () => {
  await start({ everyMs: NEVER, lookEveryMs: 20 });
  await client.query('CREATE TABLE things (id int, text text)');
  await write('INSERT INTO things SELECT n FROM generate_series(1, 200) AS n');
  await expect.poll(async () => (await statsOf('things'))?.rows, SOON).toBe(200);
  await write('INSERT INTO things SELECT n FROM generate_series(1, 700) AS n');
  await expect.poll(async () => (await statsOf('things'))?.rows, SOON).toBe(900);
});

it('the long texts of a table are vacuumed only when some were deleted', async () => {
  await start({ everyMs: 20, lookEveryMs: NEVER });
  await client.query('CREATE TABLE things (id int, text text)');
  await client.query('ALTER TABLE things ALTER text SET STORAGE EXTERNAL');
  await write(`INSERT INTO things SELECT n, repeat('x', 9000) FROM generate_series(1, 300) AS n`);
  await expect.poll(async () => (await statsOf('things'))?.vacuums, SOON).toBeGreaterThan(0);
  expect(await statsOf('things')).toMatchObject({ toastVacuums: 0 });
  await write('DELETE FROM things WHERE id <= 150');
  await expect.poll(async () => (await statsOf('things'))?.toastVacuums, SOON).toBeGreaterThan(0);
});

it('the files are scrubbed when the database is no longer in use', async () => {
  await startForgotten({ scrubWithinMs: NEVER });
  for (let round = 0; round < 60; round += 1) await use();
  expect(isScrubbed()).toBe(false);
  await expect.poll(isScrubbed, SOON).toBe(true);
});

it('the files are scrubbed after some time, even if the database is in use', async () => {
  await startForgotten({ scrubWithinMs: 100 });
  while (!isScrubbed()) await use();
});

/** Starts a database of which something was forgotten. */
async function startForgotten({ scrubWithinMs }: { scrubWithinMs: number }): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-scrub-'));
  await start({ everyMs: 20, lookEveryMs: NEVER, scrubAfterMs: 0, scrubWithinMs });
  await client.query("INSERT INTO users (user_id, erase_epoch) VALUES ('ada', 1)");
}

const use = () => client.query('SELECT pg_sleep(.005)');
const isScrubbed = () => existsSync(join(folder ?? '', 'scrubbed'));
