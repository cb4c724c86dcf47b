import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { BEFORE, BUILT } from '../support/database/built-statements.ts';
import { createTestDatabase, isOnServer } from '../support/database/database.ts';
import { comparisonsIn, type Plan, scannedForOne } from '../support/database/plans.ts';
import { type Column, type Sent, sentStatements } from '../support/database/statements.ts';
import { fullMemory } from '../support/samples/full-memory.ts';

/** Creates an index, which PostgreSQL checks only when it runs: the tests of the index do that. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: as the source has it
const NOT_PREPARED = ['db/search/hnsw.ts: { name: `hnsw-ensure-${dimension}`, text }'];

/** May compare all rows: they begin with one fact, or with the few turns that are forgotten. */
const MAY_COMPARE = ['facts-held-before', 'forgotten-refusals', 'forgotten-sources'];

let found: Awaited<ReturnType<typeof sentStatements>>;
beforeAll(async () => {
  found = await sentStatements(BUILT);
}, 120_000);

it('every statement can be prepared, and its columns are those of its row type', async () => {
  const { sent, unknown, unsent } = found;
  expect({ unknown, unsent }).toEqual({ unknown: NOT_PREPARED, unsent: [] });
  await using database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  const kinds = await kindsOf(client);
  await beginReady(client);
  await client.query('SAVEPOINT ready');
  const wrong: string[] = [];
  for (const { place, statement, columns } of sent) {
    const fields = await columnsOf(client, statement.text);
    if (typeof fields === 'string') await client.query('ROLLBACK TO ready');
    const trouble = typeof fields === 'string' ? [fields] : differences(fields, columns, kinds);
    wrong.push(...trouble.map((what) => `${place} (${statement.name}): ${what}`));
  }
  await client.end();
  expect(wrong).toEqual([]);
  expect(sent.length).toBeGreaterThan(200);
}, 120_000);

/** Begins a transaction in which every statement can be prepared. */
async function beginReady(client: pg.ClientBase): Promise<void> {
  await client.query('BEGIN');
  for (const name of BEFORE) {
    const text = found.sent.find(({ statement }) => statement.name === name)?.statement.text ?? '';
    await client.query(text, text.includes('$1') ? ['nobody'] : []);
  }
}

// PostgreSQL 15 makes no generic plan without values.
it.skipIf(isOnServer)(
  'no statement is planned to compare all rows of a user with each other, nor to look a turn up among all turns of a user',
  async () => {
    const { sent } = found;
    const { world } = await fullMemory();
    await using _ = world;
    const client = await world.ctx.db.pool.connect();
    const explained = sent.filter(({ statement: { text } }) =>
      /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(text),
    );
    await beginReady(client);
    await addUsers(client, 150);
    const slow: string[] = [];
    for (const { statement } of explained) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement.text}`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (!plan) continue;
      const comparisons = MAY_COMPARE.includes(statement.name) ? [] : comparisonsIn(plan);
      const slowly = [...comparisons, ...scannedForOne(plan)];
      slow.push(...slowly.map((what) => `${statement.name}: ${what}`));
    }
    await client.query('ROLLBACK');
    client.release();
    expect(slow).toEqual([]);
    expect(explained.length).toBeGreaterThan(200);
  },
  120_000,
);

/** Adds users with a copy of one row of alex, the user of `fullMemory`, in every table, within a transaction. */
async function addUsers(client: pg.ClientBase, count: number): Promise<void> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(`
    SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') FILTER (WHERE column_name <> 'user_id') AS columns
    FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER'
    GROUP BY table_name HAVING bool_or(column_name = 'user_id')`);
  // The embedded database has one session for all: only this transaction checks no foreign keys.
  await client.query("SET LOCAL session_replication_role = 'replica'");
  for (const { name, columns } of tables) {
    await client.query(`
      INSERT INTO ${name} (user_id, ${columns}) OVERRIDING SYSTEM VALUE
      SELECT 'user ' || n, ${columns}
      FROM (SELECT * FROM ${name} WHERE user_id = 'alex' LIMIT 1) AS one, generate_series(1, ${count}) AS n`);
  }
  // One of them has said much.
  await client.query(`
    INSERT INTO turns (user_id, id, thread_id, number, role, channel, text, word_count, occurred_at)
    SELECT 'user 1', 1000 + n, n / 20, n % 20, role, channel, text, word_count, occurred_at
    FROM (SELECT * FROM turns WHERE user_id = 'alex' LIMIT 1) AS one, generate_series(1, 5000) AS n`);
  await client.query('ANALYZE');
  // As after a VACUUM, which runs in no transaction: rows need not be read where an index has all columns.
  await client.query(
    "UPDATE pg_class SET relallvisible = relpages WHERE relnamespace = 'public'::regnamespace",
  );
}

it('no INSERT of selected rows lacks RETURNING or ON CONFLICT: Citus would copy the rows, which row-level security refuses', () => {
  const copied = found.sent.filter(({ statement: { text } }) =>
    insertsOf(text).some(
      (insert) => /\bSELECT\b/.test(insert) && !/\b(RETURNING|ON CONFLICT)\b/.test(insert),
    ),
  );
  // `archive-stage` fills a temporary table, which has no row-level security.
  expect(copied.map(({ statement }) => statement.name)).toEqual(['archive-stage']);
});

/** Every INSERT of a statement, up to the parenthesis that ends its CTE. */
function insertsOf(text: string): string[] {
  return [...text.matchAll(/INSERT INTO/g)].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < text.length; at += 1) {
      if (text[at] === '(') depth += 1;
      else if (text[at] === ')') depth -= 1;
      if (depth < 0) return text.slice(index, at);
    }
    return text.slice(index);
  });
}

type Field = Pick<pg.FieldDef, 'name' | 'dataTypeID'>;

/** The columns of a statement as PostgreSQL describes them before it runs; or why it cannot be prepared. */
function columnsOf(client: pg.Client, text: string): Promise<Field[] | string> {
  return new Promise((resolve) => {
    let found: Field[] = [];
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: { fields: Field[] }) {
        found = fields;
      },
      handleError: (error: Error) => resolve(error.message),
      handleReadyForQuery: () => resolve(found),
    });
  });
}

function differences(fields: Field[], columns: Sent['columns'], kinds: Kinds): string[] {
  if (columns === null) return [];
  const names = fields.map(({ name }) => name);
  const missing = [...columns.keys()].filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => `no column "${name}"`),
    ...fields.flatMap(({ name, dataTypeID }) => {
      const column = columns.get(name);
      if (!column) return [`no property "${name}"`];
      const read = kinds(dataTypeID);
      const said = [column.kinds, column.elements].filter(Boolean).join(' of ');
      return fits(column, read)
        ? []
        : [`"${name}" is ${read.join(' of ')}, and said to be ${said}`];
    }),
  ];
}

/** What JSON cannot hold. */
const NOT_JSON = ['Date', 'bytes'];

function fits(column: Column, [kind, element]: string[]): boolean {
  const is = (said: string[] | null, read: string | undefined) =>
    said === null ||
    read === undefined ||
    said.every((one) => (read === 'json' ? !NOT_JSON.includes(one) : one === read));
  return is(column.kinds, kind) && is(column.elements, element);
}

/** What `pg` makes of a type, and, of an array, of its elements. */
type Kinds = (type: number) => string[];

/** A value of each category of types, as PostgreSQL writes it. */
const SAMPLES: Record<string, string> = { B: 't', N: '1', D: '2026-01-01 00:00:00+00' };
/** A value of each type of which its category does not say enough. */
const SAMPLES_BY_TYPE: Record<string, string> = { json: '{}', jsonb: '{}', bytea: '\\x00' };

async function kindsOf(client: pg.Client): Promise<Kinds> {
  const { rows } = await client.query<{ oid: number; name: string; category: string; of: number }>(
    'SELECT oid::int, typname AS name, typcategory AS category, typelem::int AS of FROM pg_type',
  );
  const types = new Map(rows.map((row) => [row.oid, row]));
  const sample = (oid: number): string => {
    const { name = '', category = '', of = 0 } = types.get(oid) ?? {};
    if (category === 'A') return `{"${sample(of).replaceAll(/["\\]/g, '\\$&')}"}`;
    return SAMPLES_BY_TYPE[name] ?? SAMPLES[category] ?? 'x';
  };
  return (oid) => {
    const value: unknown = pg.types.getTypeParser(oid)(sample(oid));
    return Array.isArray(value) ? ['array', kindOf(value[0])] : [kindOf(value)];
  };
}

function kindOf(value: unknown): string {
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'bytes';
  return typeof value === 'object' ? 'json' : typeof value;
}
