import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { BEFORE, BUILT } from '../support/database/built-statements.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { type Column, type Sent, sentStatements } from '../support/database/statements.ts';

/** Makes an index: PostgreSQL looks at nothing in that before it runs. Tests of the index run it. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: as the source has it
const NOT_PREPARED = ['db/search/hnsw.ts: { name: `hnsw-ensure-${dimension}`, text }'];

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
  await client.query('BEGIN');
  for (const name of BEFORE) {
    const text = sent.find(({ statement }) => statement.name === name)?.statement.text ?? '';
    await client.query(text, text.includes('$1') ? ['nobody'] : []);
  }
  await client.query('SAVEPOINT ready');
  const wrong: string[] = [];
  for (const { place, statement, columns } of sent) {
    const fields = await describe(client, statement.text);
    if (typeof fields === 'string') await client.query('ROLLBACK TO ready');
    const trouble = typeof fields === 'string' ? [fields] : differences(fields, columns, kinds);
    wrong.push(...trouble.map((what) => `${place} (${statement.name}): ${what}`));
  }
  await client.end();
  expect(wrong).toEqual([]);
  expect(sent.length).toBeGreaterThan(200);
}, 120_000);

it('no INSERT of selected rows lacks RETURNING or ON CONFLICT: Citus would copy the rows, which row-level security refuses', () => {
  const copied = found.sent.filter(({ statement: { text } }) =>
    insertsOf(text).some(
      (insert) => /\bSELECT\b/.test(insert) && !/\b(RETURNING|ON CONFLICT)\b/.test(insert),
    ),
  );
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
function describe(client: pg.Client, text: string): Promise<Field[] | string> {
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
const SAMPLES_OF: Record<string, string> = { json: '{}', jsonb: '{}', bytea: '\\x00' };

async function kindsOf(client: pg.Client): Promise<Kinds> {
  const { rows } = await client.query<{ oid: number; name: string; category: string; of: number }>(
    'SELECT oid::int, typname AS name, typcategory AS category, typelem::int AS of FROM pg_type',
  );
  const types = new Map(rows.map((row) => [row.oid, row]));
  const sample = (oid: number): string => {
    const { name = '', category = '', of = 0 } = types.get(oid) ?? {};
    if (category === 'A') return `{"${sample(of).replaceAll(/["\\]/g, '\\$&')}"}`;
    return SAMPLES_OF[name] ?? SAMPLES[category] ?? 'x';
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
