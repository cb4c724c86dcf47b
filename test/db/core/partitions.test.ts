import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, it } from 'vitest';
import { partitioned } from '../../../src/db/core/partitions.ts';
import { createTestDatabase } from '../../support/database/database.ts';

const FOLDER = new URL('../../../prisma/migrations/', import.meta.url);

it('the migrations put every table of users into partitions', () => {
  const all = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readFileSync(new URL(`${name}/migration.sql`, FOLDER), 'utf8'))
    .join('\n');
  const tables = [...all.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name);
  const rewritten = partitioned(3)(all);
  const laidOut = [
    ...rewritten.matchAll(/^CREATE TABLE (\w+) \((?:(?!^\);).)*?\) PARTITION BY HASH/gms),
  ];
  expect(laidOut.map(([, name]) => name)).toEqual(
    tables.filter((name) => name !== 'api_keys' && name !== 'server_clock'),
  );
  expect(rewritten.match(/ PARTITION OF /g)).toHaveLength(3 * laidOut.length);
});

// biome-ignore lint/style/noProcessEnv: as test/support/database/database.ts reads it
const partitions = Number(process.env.TEST_PARTITIONS ?? 0);

it.runIf(partitions > 0)('these tests run on partitioned tables', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query(`
    SELECT c.relname, c.relkind, (SELECT count(*)::int FROM pg_inherits WHERE inhparent = c.oid) AS partitions
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`);
  await client.end();
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => row.relkind !== 'p' || row.partitions !== partitions)).toEqual([]);
});
