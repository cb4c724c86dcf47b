import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { isOnServer } from '../database/database.ts';
import { TABLES } from '../database/dump.ts';
import { type Client, createWorld, type World } from '../world.ts';

/** A world with a user, Alex, and a memory. */
type Memory = { world: World; alex: Client };
/** Its rows by table, as JSON. */
type Kept = { now: string; rows: Record<string, string> };

/**
 * Returns a function that makes a memory on its first call in a test run, and on the others a world with a copy of its rows:
 * the background work of a few weeks takes seconds. On a server, every call makes it.
 */
export function madeOnce(name: string, make: () => Promise<Memory>): () => Promise<Memory> {
  return async () => {
    const file = join(inject('runFolder'), `${name}.json`);
    if (existsSync(file)) return copyOf(JSON.parse(await readFile(file, 'utf8')));
    const memory = await make();
    if (!isOnServer) await write(file, await keep(memory));
    return memory;
  };
}

/** Another process finds all of it, or nothing. */
async function write(file: string, kept: Kept): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(kept));
  await rename(draft, file);
}

/** The tables and the columns that rows are stored with. */
const COLUMNS = `
SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
WHERE table_schema = 'public' AND table_name IN (${TABLES}) AND table_name <> '_prisma_migrations' AND is_generated = 'NEVER'
GROUP BY table_name`;

async function keep({ world }: Memory): Promise<Kept> {
  const { rows: tables } = await tablesOf(world);
  const parts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, json_agg(t)::text AS rows FROM "${name}" t`,
  );
  const { rows } = await world.ctx.db.pool.query<{ name: string; rows: string | null }>(
    parts.join(' UNION ALL '),
  );
  return {
    now: world.now.toISOString(),
    rows: Object.fromEntries(rows.flatMap(({ name, rows }) => (rows ? [[name, rows]] : []))),
  };
}

async function copyOf({ now, rows }: Kept): Promise<Memory> {
  const world = await createWorld();
  world.now = new Date(now);
  const { rows: tables } = await tablesOf(world);
  const kept = tables.filter(({ name }) => rows[name]);
  const parts = kept.map(
    ({ name, columns }, index) =>
      `"${name}" AS (INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", $${index + 1}))`,
  );
  // One statement: foreign keys are checked at its end.
  await world.ctx.db.pool.query(
    `WITH ${parts.join(', ')} SELECT`,
    kept.map(({ name }) => rows[name]),
  );
  world.statements.length = 0;
  return { world, alex: await world.user('alex') };
}

const tablesOf = ({ ctx }: World) => ctx.db.pool.query<{ name: string; columns: string }>(COLUMNS);
