import pg from 'pg';
import { migrate } from '../../../src/db/core/migrate.ts';
import {
  createCitusDatabase,
  dropCitusDatabase,
  oneAtATime,
} from '../../../tools/support/citus.ts';
import type { TestDatabase } from './database.ts';

/** The key of the advisory lock of the first database; the others follow. */
const LOCK = 7_205_800;
/** Shards of each table: tests have few users, and few rows. */
const SHARDS = 4;

/** A distributed database that this process holds by an advisory lock. */
type Held = { url: string; name: string; shape: string; lock: pg.Client };

/** Those that no test of this process uses at the moment. */
const idle: Held[] = [];

/**
 * Returns an empty database with distributed tables. To make one takes many seconds, so they stay for the next run, and are
 * emptied before each use. @param version the state of prisma/migrations
 */
export async function createOnCitus(url: string, version: string): Promise<TestDatabase> {
  const held = idle.pop() ?? (await hold(url, version));
  return {
    connection: { connectionString: held.url },
    embedded: false,
    async [Symbol.asyncDispose]() {
      const shape = await empty(held.url);
      if (shape === held.shape) return void idle.push(held);
      await dropCitusDatabase(url, held.name);
      await held.lock.end();
    },
  };
}

/** Takes the first database that no other process holds, and makes it if it is missing. */
async function hold(url: string, version: string): Promise<Held> {
  const lock = new pg.Client(url);
  await lock.connect();
  for (let number = 0; ; number += 1) {
    const { rows } = await lock.query<{ free: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS free',
      [LOCK + number],
    );
    if (!rows[0]?.free) continue;
    const name = `mnemograph_citus_${version}_${number}`;
    const own = await oneAtATime(url, () => make(lock, url, name));
    return { url: own, name, shape: await empty(own), lock };
  }
}

/** It has its final state only when it is migrated: a run may be killed. */
async function make(lock: pg.Client, url: string, name: string): Promise<string> {
  const own = new URL(url);
  own.pathname = `/${name}`;
  const found = await lock.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  const connection = { connectionString: own.href };
  if (found.rowCount) {
    const isWhole = await migrate(connection, { kind: 'distributed', shards: SHARDS }).then(
      () => true,
      () => false,
    );
    if (isWhole) return own.href;
    await dropCitusDatabase(url, name);
  }
  await createCitusDatabase(url, name);
  await migrate(connection, { kind: 'distributed', shards: SHARDS });
  return own.href;
}

/** A fingerprint of everything but users' rows, as on the coordinator. */
const SHAPE = `
SELECT concat_ws(' ', (SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'i', 'v')), (SELECT count(*) FROM pg_proc),
  (SELECT count(*) FROM pg_trigger), (SELECT count(*) FROM pg_policy), (SELECT count(*) FROM pg_attribute),
  (SELECT count(*) FROM pg_constraint), (SELECT md5(string_agg(m::text, '' ORDER BY id)) FROM _prisma_migrations m)
) AS shape`;
const TABLES = `
SELECT string_agg(format('%I', tablename), ', ') AS tables FROM pg_tables
WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`;

/** Ends what a killed run or a test that ran out of time left at work: its locks and those of `TRUNCATE` wait for each other. */
const END_OTHERS = `
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

/** Deletes all rows, in a database that nobody else uses. Returns the fingerprint of the schema. */
async function empty(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(END_OTHERS);
    await client.query('SELECT run_command_on_workers($1)', [END_OTHERS]);
    const { tables } = (await client.query<{ tables: string }>(TABLES)).rows[0] ?? {};
    await client.query(`TRUNCATE ${tables}`);
    return (await client.query<{ shape: string }>(SHAPE)).rows[0]?.shape ?? '';
  } finally {
    await client.end();
  }
}
