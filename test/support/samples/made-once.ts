import { isOnServer } from '../database/database.ts';
import { TABLES } from '../database/dump.ts';
import { type Client, createWorld, type World } from '../world.ts';

/** A world with a user, Alex, and a memory. */
type Memory = { world: World; alex: Client };
type Kept = { now: Date; rows: Map<string, string> };

/**
 * Returns a function that makes a memory on its first call in a test process, and on the others a world with a copy of its
 * rows: the background work of a few weeks takes seconds. On a server, every call makes it.
 */
export function madeOnce(make: () => Promise<Memory>): () => Promise<Memory> {
  let kept: Kept | undefined;
  return async () => {
    if (kept) return copyOf(kept);
    const memory = await make();
    if (!isOnServer) kept = await keep(memory);
    return memory;
  };
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
    now: world.now,
    rows: new Map(rows.flatMap(({ name, rows }) => (rows ? [[name, rows]] : []))),
  };
}

async function copyOf({ now, rows }: Kept): Promise<Memory> {
  const world = await createWorld();
  world.now = now;
  const { rows: tables } = await tablesOf(world);
  const kept = tables.filter(({ name }) => rows.has(name));
  const parts = kept.map(
    ({ name, columns }, index) =>
      `"${name}" AS (INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", $${index + 1}))`,
  );
  // One statement: foreign keys are checked at its end.
  await world.ctx.db.pool.query(
    `WITH ${parts.join(', ')} SELECT`,
    kept.map(({ name }) => rows.get(name)),
  );
  world.statements.length = 0;
  return { world, alex: await world.user('alex') };
}

const tablesOf = ({ ctx }: World) => ctx.db.pool.query<{ name: string; columns: string }>(COLUMNS);
