import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/db/core/migrate.ts';
import { MigrationError, migrationRefused } from '../../../src/db/core/migration-error.ts';
import {
  createTestDatabase,
  startEmpty,
  type TestDatabase,
} from '../../support/database/database.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ ...database.connection, max: 4 });
}, 60_000);

afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

/** Runs one statement as the application does for a user, in a transaction that is kept. */
async function as(user: string | null, sql: string): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL ROLE mnemograph_app');
    if (user) await client.query(`SET LOCAL mnemograph.user_id = '${user}'`);
    const result = await client.query(sql);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

describe('migrate', () => {
  it('a migrated database needs no migration', async () => {
    expect(await migrate(database.connection)).toEqual([]);
  });

  it('every migration is applied once when many processes start at once', async () => {
    await using empty = await createEmptyDatabase();
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate(empty.connection)));
    const applied = results.flat();
    expect(applied.length).toBeGreaterThan(0);
    expect(new Set(applied).size).toBe(applied.length);
    const client = new pg.Client(empty.connection);
    await client.connect();
    const records = await client.query(
      'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
    );
    expect(records.rows.map((row) => row.migration_name).sort()).toEqual(applied.sort());
    await client.end();
  }, 60_000);

  it.each([
    ['was edited', `UPDATE _prisma_migrations SET checksum = 'other'`, 'edited after'],
    ['did not finish', 'UPDATE _prisma_migrations SET finished_at = NULL', 'did not finish'],
    [
      'is of a newer version',
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '9999_later', now())`,
      'newer version',
    ],
  ])('migrate refuses to start when a migration %s', async (_, damage, message) => {
    await pool.query('CREATE TABLE kept AS SELECT * FROM _prisma_migrations');
    await pool.query(damage);
    const refusal = migrate(database.connection);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toBeInstanceOf(MigrationError);
    await pool.query('DELETE FROM _prisma_migrations');
    await pool.query('INSERT INTO _prisma_migrations SELECT * FROM kept');
    await pool.query('DROP TABLE kept');
  });

  it('a migration that fails is rolled back', async () => {
    await using empty = await createEmptyDatabase();
    const client = new pg.Client(empty.connection);
    await client.connect();
    // In the way of a table that comes late in the first migration.
    await client.query('CREATE TABLE jobs (blocked int)');
    await expect(migrate(empty.connection)).rejects.toThrow(/failed and was rolled back.*jobs/);
    const left = await client.query(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    expect(left.rows).toEqual([{ relname: 'jobs' }]);
    await client.query('DROP TABLE jobs');
    expect(await migrate(empty.connection)).not.toEqual([]);
    await client.end();
  }, 60_000);
});

describe('row-level security', () => {
  beforeAll(async () => {
    for (const user of ['ann', 'bob']) {
      await as(user, `INSERT INTO users (user_id) VALUES ('${user}')`);
      await as(user, `INSERT INTO postings VALUES ('${user}', 'word', 1, 1)`);
    }
  });

  it('row-level security covers every table with a user_id', async () => {
    const { rows } = await pool.query(
      `SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND attname = 'user_id' AND NOT relispartition
         AND (NOT relrowsecurity OR NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid))`,
    );
    expect(rows).toEqual([]);
  });

  it("row-level security hides other users' rows from every statement", async () => {
    expect((await as('ann', 'SELECT user_id FROM users')).rows).toEqual([{ user_id: 'ann' }]);
    expect((await as('ann', `SELECT FROM postings WHERE user_id = 'bob'`)).rowCount).toBe(0);
    expect((await as('ann', 'UPDATE users SET erase_epoch = 7')).rowCount).toBe(1);
    expect((await as('ann', `DELETE FROM postings WHERE user_id = 'bob'`)).rowCount).toBe(0);
    const bob = await as('bob', 'SELECT erase_epoch FROM users');
    expect(bob.rows).toEqual([{ erase_epoch: 0 }]);
  });

  it('row-level security refuses to write a row of another user', async () => {
    const refused = 'violates row-level security';
    await expect(as('ann', `INSERT INTO users (user_id) VALUES ('eve')`)).rejects.toThrow(refused);
    // Citus refuses this one before the policy is asked.
    const moved = new RegExp(`${refused}|modifying the partition value`);
    await expect(as('ann', `UPDATE postings SET user_id = 'bob'`)).rejects.toThrow(moved);
  });

  it('row-level security shows nothing when no user is set, even after one was', async () => {
    expect((await as(null, 'SELECT FROM users')).rowCount).toBe(0);
    await expect(as(null, `INSERT INTO users (user_id) VALUES ('eve')`)).rejects.toThrow();
  });

  it("the application's role cannot read keys or migrations", async () => {
    for (const table of ['api_keys', '_prisma_migrations']) {
      await expect(as('ann', `SELECT FROM ${table}`)).rejects.toThrow('permission denied');
    }
  });
});

it.each([
  ['0A000', 'extension "vector" is not available', 'Install pgvector 0.8 or later'],
  ['58P01', 'could not open the control file of extension "vector"', 'Install pgvector 0.8'],
  ['42501', 'permission denied to create extension "vector"', 'CREATE EXTENSION vector'],
])('a migration that fails with %s, %s, says what to do', (code, message, advice) => {
  const refused = migrationRefused('init', Object.assign(new Error(message), { code }));
  expect(refused.message).toContain(`Migration init failed and was rolled back: ${message}. `);
  expect(refused.message).toContain(advice);
});

/** A database without migrations, of the same kind as the other. */
async function createEmptyDatabase(): Promise<AsyncDisposable & { connection: pg.PoolConfig }> {
  if (database.embedded) return startEmpty();
  const name = `mnemograph_empty_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(String(database.connection.connectionString));
  url.pathname = `/${name}`;
  return {
    connection: { connectionString: url.href },
    [Symbol.asyncDispose]: async () =>
      void (await pool.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}
