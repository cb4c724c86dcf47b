import pg from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../../src/db/core/migrate.ts';
import { runCommand } from '../../support/command.ts';
import { startEmpty } from '../../support/database/database.ts';

const PARTITIONS = `
SELECT c.relname AS name, (SELECT count(*)::int FROM pg_inherits WHERE inhparent = c.oid) AS count
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

async function expectPartitions(connection: pg.PoolConfig, most: number): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ name: string; count: number }>(PARTITIONS);
  await client.end();
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(({ count }) => count !== most)).toEqual([]);
}

it('a new database is put into as many partitions as are asked for, and stays as it is', async () => {
  await using empty = await startEmpty();
  expect(await migrate(empty.connection, { kind: 'partitions', count: 3 })).not.toEqual([]);
  await expectPartitions(empty.connection, 3);
  expect(await migrate(empty.connection)).toEqual([]);
  expect(await migrate(empty.connection, { kind: 'partitions', count: 3 })).toEqual([]);
  await expect(migrate(empty.connection, { kind: 'partitions', count: 4 })).rejects.toThrow(
    'exist already, in 3 partitions, and cannot be in 4 partitions',
  );
}, 60_000);

it('`migrate --partitions` puts a new database into partitions, and says so when they are others', async () => {
  await using empty = await startEmpty();
  const { host, port } = empty.connection;
  const DATABASE_URL = `postgresql://postgres@localhost:${port}/postgres?host=${host}`;
  const first = await runCommand('migrate', ['--partitions', '2'], { DATABASE_URL });
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('is now up to date') });
  await expectPartitions(empty.connection, 2);
  const second = await runCommand('migrate', ['--partitions', '5'], { DATABASE_URL });
  expect(second).toMatchObject({ code: 1, problems: expect.stringContaining('in 2 partitions') });
}, 60_000);

it('a database without Citus is not distributed, and stays empty', async () => {
  await using empty = await startEmpty();
  const refused = migrate(empty.connection, { kind: 'distributed', shards: 4 });
  await expect(refused).rejects.toThrow('This database has no Citus');
  const client = new pg.Client(empty.connection);
  await client.connect();
  const { rows } = await client.query(`SELECT to_regclass('users') AS users`);
  await client.end();
  expect(rows).toEqual([{ users: null }]);
}, 60_000);
