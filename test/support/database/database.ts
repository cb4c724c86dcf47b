import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { migrate, migrationsHash } from '../../../src/db/core/migrate.ts';
import {
  type Embedded,
  type EmbeddedOptions,
  saveSnapshot,
  startEmbedded,
} from '../../../src/db/embedded/embedded.ts';
import { imageArchive } from '../../../src/db/embedded/embedded-image.ts';
import { createOnCitus } from './citus-database.ts';

/** A migrated database for one test. */
export type TestDatabase = AsyncDisposable & {
  connection: pg.PoolConfig;
  /** True for PGlite in memory, false for a database on a server. */
  embedded: boolean;
};

const CACHE = new URL('../../../node_modules/.cache/mnemograph/', import.meta.url);
/** The key of the advisory lock under which the template is created. */
const TEMPLATE_LOCK = 7_205_759;

/**
 * Creates an empty, migrated database: on the Citus cluster of whose coordinator TEST_CITUS_URL is the address if set, else on
 * the server of TEST_DATABASE_URL if set, else embedded. On a server, TEST_PARTITIONS is the number of partitions of each
 * user table. Those on a server and the embedded ones are copies of a database that is migrated once for each state of
 * prisma/migrations.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const citus = setting('TEST_CITUS_URL');
  if (citus) return createOnCitus(citus, await migrationsName());
  const url = setting('TEST_DATABASE_URL');
  return url ? createOnServer(url) : createEmbedded();
}

type Setting = 'TEST_CITUS_URL' | 'TEST_DATABASE_URL' | 'TEST_PARTITIONS';
/** Reads a setting of the test run. It is not a setting of the server. */
// biome-ignore lint/style/noProcessEnv: see above
const setting = (name: Setting) => process.env[name];

/** Whether tests run on a Citus cluster. */
export const isOnCitus = Boolean(setting('TEST_CITUS_URL'));
/** Whether they run on a database that others may use too, not on an embedded one. */
export const isOnServer = isOnCitus || Boolean(setting('TEST_DATABASE_URL'));

/** Empty databases that no test uses at the moment. Starting one takes 1.5 s of processor time. */
const idle: Started[] = [];
/** The most idle databases to keep. Each takes 200 MB. */
const MOST_IDLE = 2;

type Started = Awaited<ReturnType<typeof startEmbedded>> & { shape: string };

async function createEmbedded(): Promise<TestDatabase> {
  const started = idle.pop() ?? (await start());
  return {
    connection: started.connection,
    embedded: true,
    async [Symbol.asyncDispose]() {
      const shape = await empty(started);
      if (shape === started.shape && idle.length < MOST_IDLE) idle.push(started);
      else await started[Symbol.asyncDispose]();
    },
  };
}

async function start(): Promise<Started> {
  const embedded = await startEmbedded({ folder: null, snapshot: await snapshot() });
  return { ...embedded, shape: await empty(embedded) };
}

/** Returns a fingerprint of everything but users' rows. It shows whether a test has changed the schema. */
const SHAPE = `
SELECT concat_ws(' ', (SELECT max(oid) FROM pg_class WHERE relkind IN ('r', 'i', 'v')), (SELECT count(*) FROM pg_class),
  (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_trigger), (SELECT count(*) FROM pg_policy),
  (SELECT count(*) FROM pg_attribute), (SELECT count(*) FROM pg_constraint), (SELECT count(*) FROM pg_roles),
  (SELECT count(*) FROM pg_db_role_setting), (SELECT md5(string_agg(m::text, '' ORDER BY id)) FROM _prisma_migrations m)
) AS shape`;
/**
 * Tables that have had rows, or whose rows were counted. Deleting keeps the plans of statements, which take a tenth of a second to
 * make anew; but it leaves dead rows, and statistics.
 */
const USED_TABLES = `
SELECT string_agg(oid::regclass::text, ', ') FILTER (WHERE is_worn) AS worn,
  string_agg(format('%I AS (DELETE FROM %s)', relname, oid::regclass), ', ') FILTER (WHERE NOT is_worn) AS deletes
FROM (
  SELECT oid, relname, pg_relation_size(oid) > ${64 * 1024} OR reltuples >= 0 AS is_worn FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
    AND (pg_relation_size(oid) > 0 OR reltuples >= 0)
) AS used`;

/** Deletes all rows and their statistics. Returns the fingerprint of the schema. */
async function empty({ connection }: { connection: pg.PoolConfig }): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const used = await client.query<{ worn: string | null; deletes: string | null }>(USED_TABLES);
    const { worn, deletes } = used.rows[0] ?? {};
    if (worn) await client.query(`TRUNCATE ${worn} CASCADE; DELETE FROM pg_statistic`);
    // One statement: foreign keys are checked at its end.
    if (deletes) await client.query(`WITH ${deletes} SELECT`);
    return (await client.query<{ shape: string }>(SHAPE)).rows[0]?.shape ?? '';
  } finally {
    await client.end();
  }
}

async function createOnServer(url: string): Promise<TestDatabase> {
  const name = `mnemograph_test_${randomBytes(6).toString('hex')}`;
  const template = await makeTemplate(url);
  await onServer(url, (admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    connection: { connectionString: at(url, name) },
    embedded: false,
    [Symbol.asyncDispose]: () =>
      onServer(
        url,
        async (admin) => void (await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)),
      ),
  };
}

/** Returns the name of the template database. The first process to ask creates it, under a lock. */
async function makeTemplate(url: string): Promise<string> {
  const partitions = Number(setting('TEST_PARTITIONS') ?? 0);
  const name = `mnemograph_template_${await migrationsName()}_${partitions}`;
  const exists = `SELECT FROM pg_database WHERE datname = '${name}'`;
  await onServer(url, async (admin) => {
    if ((await admin.query(exists)).rowCount) return;
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if ((await admin.query(exists)).rowCount) return;
    // It gets its final name only when it is complete: a run may be killed.
    const draft = `${name}_draft`;
    await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${draft}`);
    const connection = { connectionString: at(url, draft) };
    await migrate(
      connection,
      partitions > 0 ? { kind: 'partitions', count: partitions } : undefined,
    );
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
  return name;
}

async function onServer<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client(url);
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function at(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** The name of the dump of a database without tables. */
const EMPTY = 'empty';

/** Returns the path of a dump of a migrated embedded database. */
export const snapshot = async (): Promise<string> => dumpOf(await migrationsName(), dumpMigrated);

/** Takes the image of the build, if there is one: it is made of the same migrations. */
async function dumpMigrated(path: string): Promise<void> {
  const archive = await imageArchive();
  if (archive) await writeFile(path, gunzipSync(await readFile(archive)));
  else await saveSnapshot(path, migrate);
}

/** Starts an embedded database without tables. From a dump this takes a fifth of the time. */
export async function startEmpty(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  return startEmbedded({
    folder: null,
    snapshot: await dumpOf(EMPTY, (path) => saveSnapshot(path, async () => undefined)),
    ...options,
  });
}

/** Returns the path of a dump. One process creates it, and the others wait. */
async function dumpOf(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = new URL(`${name}.tar`, CACHE).pathname;
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  const lockFile = `${path}.making`;
  const lock = await open(lockFile, 'wx').catch(() => null);
  if (!lock) return (await appears(path, lockFile)) ? path : dumpOf(name, make);
  try {
    await lock.write(String(process.pid));
    await lock.close();
    await removeOldDumps();
    const draft = `${path}.${process.pid}`;
    await make(draft);
    await rename(draft, path);
    return path;
  } finally {
    await rm(lockFile, { force: true });
  }
}

/** Removes dumps, which are large. Keeps the present ones, and those younger than an hour, which another run may be using. */
async function removeOldDumps(): Promise<void> {
  const present = [EMPTY, await migrationsName()].map((name) => `${name}.tar`);
  for (const name of await readdir(CACHE)) {
    const file = new URL(name, CACHE);
    const made = present.includes(name) ? null : await stat(file).catch(() => null);
    if (made && Date.now() - made.mtimeMs > 3_600_000) await rm(file, { force: true });
  }
}

/** Waits for the snapshot of another process. Returns false if that process has ended or failed. */
async function appears(path: string, lockFile: string): Promise<boolean> {
  for (;;) {
    await delay(50);
    if (existsSync(path)) return true;
    const pid = Number(await readFile(lockFile, 'utf8').catch(() => '-1'));
    if (pid === 0 || isAlive(pid)) continue;
    await rm(lockFile, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns a name for the current state of prisma/migrations. */
const migrationsName = async () => (await migrationsHash()).slice(0, 12);
