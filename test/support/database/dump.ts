import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { World } from '../world.ts';

/** Lists all tables by name. A partitioned table counts as one. */
export const TABLES = `
SELECT relname::text AS name FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

/** Lines of pg_dump with a key that is another one in each dump. */
const RANDOM_KEY = /^\\(?:un)?restrict .*$/gm;

/** Returns the whole content of a database as text: by pg_dump, or all rows if that is not installed or the database is embedded. */
export async function dumpOf({ ctx }: Pick<World, 'ctx'>): Promise<string> {
  const { connectionString } = ctx.db.pool.options;
  if (!connectionString) return rowsOf(ctx);
  const options = { maxBuffer: 100_000_000 };
  try {
    const { stdout } = await promisify(execFile)('pg_dump', [connectionString], options);
    return stdout.replaceAll(RANDOM_KEY, '');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    return rowsOf(ctx);
  }
}

async function rowsOf({ db }: World['ctx']): Promise<string> {
  const tables = await db.pool.query<{ name: string }>(TABLES);
  const parts = tables.rows.map(
    ({ name }) => `SELECT '${name} ' || t::text AS row FROM "${name}" t`,
  );
  const { rows } = await db.pool.query<{ row: string }>(parts.join(' UNION ALL '));
  return rows.map(({ row }) => row).join('\n');
}

/** Returns the lines of a dump that contain a word, shortened. */
export const linesWith = (dump: string, word: string): string[] =>
  dump
    .split('\n')
    .filter((line) => line.toLowerCase().includes(word))
    .map((line) => line.slice(0, 120));

/** Returns the tables in which a row of any user contains a word. */
export async function rowsWith({ ctx }: Pick<World, 'ctx'>, word: string): Promise<string[]> {
  const { rows } = await ctx.db.pool.query<{ name: string }>(TABLES);
  const found: string[] = [];
  for (const { name } of rows) {
    const text = `SELECT 1 FROM "${name}" AS t WHERE t::text ILIKE $1`;
    if ((await ctx.db.pool.query(text, [`%${word}%`])).rowCount) found.push(name);
  }
  return found.sort();
}

/** Counts the rows of a user in each table. */
export async function countsOf({ ctx }: Pick<World, 'ctx'>, userId: string) {
  const { rows: tables } = await ctx.db.pool.query<{ name: string }>(
    `${TABLES} AND relname NOT IN ('api_keys', 'server_clock') AND relname NOT LIKE '\\_%'`,
  );
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*)::int AS count FROM "${name}" WHERE user_id = $1`,
  );
  const { rows } = await ctx.db.pool.query<{ name: string; count: number }>(
    parts.join(' UNION ALL '),
    [userId],
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
