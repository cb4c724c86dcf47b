import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { PACKAGE_FOLDER } from '../../shared/code-folder.ts';
import { distribute, NotDistributable, requireCitus } from './distribute.ts';
import { describeLayout, type Layout, readLayout } from './layout.ts';
import { MigrationError, migrationRefused } from './migration-error.ts';
import { partitioned } from './partitions.ts';
import { asUnavailable } from './unavailable.ts';

type Migration = { name: string; sql: string; checksum: string };
type Record = { migration_name: string; checksum: string; finished: boolean; logs: string | null };

const FOLDER = new URL('prisma/migrations/', PACKAGE_FOLDER);

const APPLIED = `
  SELECT migration_name, checksum, finished_at IS NOT NULL AS finished, logs
  FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`;

// The same definition as Prisma's own.
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

const RECORD = `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES (gen_random_uuid()::text, $1, $2, now(), clock_timestamp(), 1)`;

// The lock that Prisma takes, so that `prisma migrate deploy` cannot run at the same time.
const LOCK = 'SELECT pg_advisory_xact_lock(72707369)';

/**
 * Applies the pending migrations, each in one transaction with its record, so that none is ever half applied. Processes
 * that start at the same time take turns. The records are those of Prisma: `prisma migrate` continues from them.
 *
 * @param wanted where the rows of users are to be; by default where they are, in a new database in plain tables. Tables that
 *   exist can be distributed, but not put into partitions
 * @returns the names of the migrations that this call applied, and of the tables that it distributed
 * @throws {MigrationError} when one fails, was edited after it was applied, or belongs to a newer version
 */
export async function migrate(connection: pg.PoolConfig, wanted?: Layout): Promise<string[]> {
  const migrations = await readMigrations();
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const layout = chooseLayout(await readLayout(client), wanted);
    if (layout.kind === 'distributed') await requireCitus(client);
    const applied = await applyPending(client, migrations, layout);
    // After a migration there may be tables that are not distributed yet.
    const isPending = wanted?.kind === 'distributed' || applied.length > 0;
    if (layout.kind !== 'distributed' || !isPending) return applied;
    return [...applied, ...(await distribute(client, layout.shards))];
  } catch (error) {
    if (!(error instanceof NotDistributable)) throw error;
    throw new MigrationError(error.message, { cause: error });
  } finally {
    await client.end();
  }
}

/** @throws {MigrationError} if the tables exist and cannot be laid out as wanted */
function chooseLayout(found: Layout | null, wanted: Layout | undefined): Layout {
  if (!wanted || !found) return wanted ?? found ?? { kind: 'whole' };
  const isSame = describeLayout(found) === describeLayout(wanted);
  if (isSame || (found.kind === 'whole' && wanted.kind === 'distributed')) return wanted;
  // The number of shards is chosen once; Citus moves and splits them.
  if (found.kind === 'distributed' && wanted.kind === 'distributed') return found;
  throw new MigrationError(
    `The tables of users exist already, ${describeLayout(found)}, and cannot be ${describeLayout(wanted)}: ` +
      'export the memories and import them into a new database.',
  );
}

async function applyPending(
  client: pg.Client,
  migrations: Migration[],
  layout: Layout,
): Promise<string[]> {
  const unlocked = await readRecords(client);
  if (unlocked.every((record) => record.finished) && pending(migrations, unlocked).length === 0) {
    return [];
  }
  const rewrite = layout.kind === 'partitions' ? partitioned(layout.count) : (sql: string) => sql;
  const applied: string[] = [];
  for (;;) {
    const name = await applyNext(client, migrations, rewrite);
    if (name === null) return applied;
    applied.push(name);
  }
}

/** Applies the first pending migration and returns its name; null when there is none. */
async function applyNext(
  client: pg.Client,
  migrations: Migration[],
  rewrite: (sql: string) => string,
): Promise<string | null> {
  await client.query('BEGIN');
  try {
    await client.query(LOCK);
    await client.query(CREATE_TABLE);
    const [next] = pending(migrations, await readRecords(client));
    if (next) {
      await run(client, { ...next, sql: rewrite(next.sql) });
      await client.query(RECORD, [next.checksum, next.name]);
    }
    await client.query('COMMIT');
    return next?.name ?? null;
  } catch (error) {
    await client.query('ROLLBACK');
    throw asUnavailable(error);
  }
}

async function run(
  client: pg.Client,
  { name, sql }: Pick<Migration, 'name' | 'sql'>,
): Promise<void> {
  try {
    await client.query(sql);
  } catch (cause) {
    throw migrationRefused(name, cause);
  }
}

/** Checks every record against its file and returns the migrations without a record. */
function pending(migrations: Migration[], records: Record[]): Migration[] {
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { migration_name: name, checksum, finished, logs } of records) {
    const file = files.get(name);
    if (!finished) {
      throw new MigrationError(
        `Migration ${name} was begun by another tool and did not finish: repair the database, then "prisma migrate resolve". ${logs ?? ''}`.trim(),
      );
    }
    if (!file) {
      throw new MigrationError(
        `The database has migration ${name}, which this version does not know: it was used by a newer version. Start that version.`,
      );
    }
    if (file.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${name} was edited after it had been applied: restore prisma/migrations/${name} and put the change into a new migration.`,
      );
    }
    files.delete(name);
  }
  return [...files.values()];
}

async function readRecords(client: pg.Client): Promise<Record[]> {
  const found = await client.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  return found.rows[0]?.present ? (await client.query<Record>(APPLIED)).rows : [];
}

/**
 * The names of the migrations that `migrate` would apply. Reads only.
 * @throws {MigrationError} as `migrate`, when the applied migrations are not those that this version expects
 */
export async function pendingMigrations(client: pg.Client): Promise<string[]> {
  return pending(await readMigrations(), await readRecords(client)).map(({ name }) => name);
}

/** The names of this version's migrations, in order. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map((folder) => folder.name).sort();
}

/** A SHA-256 of all migrations of this version. */
export async function migrationsHash(): Promise<string> {
  const all = createHash('sha256');
  for (const { name, checksum } of await readMigrations()) all.update(name).update(checksum);
  return all.digest('hex');
}

async function readMigrations(): Promise<Migration[]> {
  const names = await migrationNames();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, FOLDER), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
