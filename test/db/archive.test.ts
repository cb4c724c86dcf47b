import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ARCHIVE_ROWS } from '../../src/db/archive/archive-rows.ts';
import { columnsOf } from '../../src/domain/archive/archive.ts';
import { at } from '../../src/domain/archive/archive-values.ts';
import { countsOf, TABLES } from '../support/database/dump.ts';
import { FORGET_MEMORY } from '../support/episodes.ts';
import { fullMemory } from '../support/samples/full-memory.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await fullMemory());
});
afterAll(() => world[Symbol.asyncDispose]());

/** Made again from what an archive holds, or of this deployment alone. */
const NOT_ARCHIVED = [
  '_prisma_migrations',
  'api_keys',
  'episode_vectors',
  'fact_vectors',
  'model_usage',
  'postings',
  'semantic_memory_vectors',
  'server_clock',
  'skill_vectors',
  'turn_vectors',
];
/** Whose it is, what the database makes itself, what guards running steps, that a row was imported, and what steps find out again. */
const NOT_ARCHIVED_COLUMNS = ['user_id', 'words'];
/** Of jobs, only the turns that are to be read again are. */
const OTHERWISE_QUEUED = [
  'attempts',
  'dead_at',
  'lane',
  'last_error',
  'locked_by',
  'locked_until',
  'parked_at',
  'place',
  'run_at',
  'step',
  'traceparent',
  'triggers',
];
const GUARDS: Record<string, string[]> = {
  jobs: OTHERWISE_QUEUED,
  users: ['erase_epoch', 'download_hash', 'download_until'],
  index_progress: ['current_since'],
  links: ['imported'],
  turns: ['unread_by_rules'],
};

/** The columns of every table. */
async function tables(): Promise<Map<string, string[]>> {
  const { rows } = await world.ctx.db.pool.query<{ name: string; columns: string[] }>(`
    SELECT table_name::text AS name, array_agg(column_name::text ORDER BY column_name) AS columns
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name IN (${TABLES})
    GROUP BY table_name`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

it('every table is in the archive with every column, or is made again', async () => {
  const archived = ARCHIVE_ROWS.map(({ table }) => table);
  const found = await tables();
  expect([...found.keys()].sort()).toEqual([...archived, ...NOT_ARCHIVED].sort());
  for (const row of ARCHIVE_ROWS) {
    const { table } = row;
    const columns = (found.get(table) ?? []).filter(
      (name) => ![...NOT_ARCHIVED_COLUMNS, ...(GUARDS[table] ?? [])].includes(name),
    );
    expect([...columnsOf(row)].sort(), table).toEqual(columns);
  }
});

it('docs/archive.md names every type of row, in order', async () => {
  const text = await readFile(new URL('../../docs/archive.md', import.meta.url), 'utf8');
  const list = text.match(/types, in this order: ([^.]*)\./)?.[1]?.replace(/\([^)]*\)/g, '') ?? '';
  expect(list.split(',').map((name) => name.trim())).toEqual(ARCHIVE_ROWS.map(({ type }) => type));
});

it('forgetting a user leaves rows of no table but the numbers, the hashes of keys and the note of it', async () => {
  const rowsOf = async () =>
    Object.fromEntries([...(await countsOf(world, 'alex'))].filter(([, count]) => count > 0));
  await world.ctx.db.pool.query(
    `INSERT INTO model_usage VALUES ('alex', '2026-04-01', 'compact', 'm', 1, 1, 1, 1)`,
  );
  expect(Object.keys(await rowsOf()).sort()).toEqual(
    [...(await tables())]
      .flatMap(([name, columns]) => (columns.includes('user_id') ? name : []))
      .sort(),
  );
  const { forget } = await alex.execute(FORGET_MEMORY, { input: { everythingOf: 'alex' } });
  expect(forget).toMatchObject({ __typename: 'ForgottenCounts' });
  const left = { users: 1, erased_keys: 1, memory_events: 1 };
  expect(await rowsOf()).toEqual(left);
  await world.settle();
  expect(await rowsOf()).toEqual(left);
});

it.each([
  ['2026-03-02T09:30:00+00:00', true],
  ['0001-01-01T00:00:00+14:00', false],
  ['9999-12-31T23:59:59-12:00', false],
])('the time %s may be in an archive: %s', (time, may) => {
  expect(at.safeParse(time).success).toBe(may);
});
