import type pg from 'pg';
import { APP_ROLE, LOCK_WITHIN } from './begin.ts';

/** Tables cannot be distributed; the message says why. */
export class NotDistributable extends Error {
  override readonly name = 'NotDistributable';
}

const HAS_CITUS = `SELECT FROM pg_extension WHERE extname = 'citus'`;

/** @throws NotDistributable if the database has no Citus */
export async function requireCitus(client: pg.ClientBase): Promise<void> {
  if ((await client.query(HAS_CITUS)).rows.length > 0) return;
  throw new NotDistributable(
    'This database has no Citus: run CREATE EXTENSION citus in it and add the workers first (docs/scaling.md).',
  );
}

/** Sets up the role of the application on one node. Roles belong to a node, not to the database. */
const PREPARE_ROLE = `DO $role$
BEGIN
  PERFORM set_config('citus.enable_create_role_propagation', 'off', true),
    set_config('citus.enable_alter_role_propagation', 'off', true),
    set_config('citus.enable_alter_role_set_propagation', 'off', true);
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_ROLE}') THEN
    CREATE ROLE ${APP_ROLE};
  END IF;
  ALTER ROLE ${APP_ROLE} LOGIN;
  ALTER ROLE ${APP_ROLE} SET lock_timeout = ${LOCK_WITHIN};
  ALTER ROLE ${APP_ROLE} SET jit = off;
END $role$`;

const ON_WORKERS = 'SELECT nodename, success, result FROM run_command_on_workers($1)';

/** The tables of users that are on one node only, the one that others refer to first. */
const TO_DISTRIBUTE = `
SELECT c.oid::regclass::text AS name
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
  AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
ORDER BY c.oid <> to_regclass('users'), c.relname`;

const FOREIGN_KEYS = `
SELECT conrelid::regclass::text AS name, quote_ident(conname) AS constraint, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::text[]::regclass[]) ORDER BY 1, 2`;

/**
 * Distributes the tables of users over the nodes of a Citus cluster, by user, all co-located, with their rows and foreign
 * keys; and lets the role of the application log in on the workers, to which Citus connects as that role. Tables that are
 * distributed already stay as they are.
 * @param shards the number of shards of each table, if none is distributed yet
 * @returns the names of the tables
 * @throws NotDistributable if a worker refuses
 */
export async function distribute(client: pg.ClientBase, shards: number): Promise<string[]> {
  await prepareRole(client);
  await client.query(`BEGIN; SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
  try {
    const names = (await client.query<{ name: string }>(TO_DISTRIBUTE)).rows.map(
      ({ name }) => name,
    );
    const keys = await client.query<{ name: string; constraint: string; definition: string }>(
      FOREIGN_KEYS,
      [names],
    );
    for (const { name, constraint } of keys.rows) {
      await client.query(`ALTER TABLE ${name} DROP CONSTRAINT ${constraint}`);
    }
    // No transaction of distributed tables is of several users, and the workers do not know its role.
    for (const name of names) await client.query(`DROP POLICY IF EXISTS users_of_group ON ${name}`);
    // Without a key, rows that are deleted while their shard moves are found by all of their columns.
    if (names.includes('postings'))
      await client.query('ALTER TABLE postings REPLICA IDENTITY FULL');
    for (const name of names) {
      const where = name === 'users' ? `shard_count := ${shards}` : `colocate_with := 'users'`;
      await client.query(`SELECT create_distributed_table('${name}', 'user_id', ${where})`);
    }
    for (const { name, constraint, definition } of keys.rows) {
      await client.query(`ALTER TABLE ${name} ADD CONSTRAINT ${constraint} ${definition}`);
    }
    // The user of a transaction is set by SET LOCAL, which Citus then passes on to the workers.
    await client.query(`DO $set$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET citus.propagate_set_commands = ''local''', current_database());
    END $set$`);
    await client.query('COMMIT');
    return names;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function prepareRole(client: pg.ClientBase): Promise<void> {
  await client.query(PREPARE_ROLE);
  const { rows } = await client.query<{ nodename: string; success: boolean; result: string }>(
    ON_WORKERS,
    [PREPARE_ROLE],
  );
  const refused = rows.find(({ success }) => !success);
  if (!refused) return;
  throw new NotDistributable(
    `The worker ${refused.nodename} refuses to set up the role ${APP_ROLE}: ${refused.result}`,
  );
}
