import type pg from 'pg';
import { expect, it } from 'vitest';
import type { Database, Statement } from '../../src/db/core/database.ts';
import { BEFORE, BUILT } from '../support/database/built-statements.ts';
import { isOnCitus } from '../support/database/database.ts';
import { sentStatements } from '../support/database/statements.ts';
import { createWorld } from '../support/world.ts';

/** A value of each type that statements are given. Every text may be the user, who then is one user. */
const VALUES: Record<string, unknown> = {
  text: 'ann',
  bool: true,
  json: '[]',
  bytea: Buffer.of(0),
  timestamptz: new Date(0),
  _text: ['ann'],
};
const sampleOf = (type: string) => VALUES[type] ?? (type.startsWith('_') ? [] : 1);

/** What SQL says of a statement that it cannot run at all; else the values do not fit, as they are made up. */
const CANNOT_RUN = /^(0A|42|XX)/;
/** The role of the application may not read some tables: those belong to the whole deployment. */
const NOT_ALLOWED = '42501';

/** Others take their place on distributed tables: lease-on-shards.ts, outdated-on-shards.ts, and those for one user for groups. */
const REPLACED = [
  'jobs-lease',
  'jobs-renew',
  'vector-index-queue-outdated',
  'remember-load-group',
  'remember-save-group',
];

it.runIf(isOnCitus)(
  'every statement can be run on distributed tables',
  async () => {
    await using world = await createWorld({ EMBEDDER: 'none' });
    const { db } = world.ctx;
    const { sent } = await sentStatements(BUILT);
    const statements = new Map(sent.map(({ statement }) => [statement.name, statement]));
    for (const name of REPLACED) statements.delete(name);
    const first = BEFORE.flatMap((name) => statements.get(name) ?? []);
    const types = await typesOf(db, [...statements.values()]);
    const failed: string[] = [];
    for (const [name, statement] of statements) {
      const values = types.get(name);
      if (!values) continue;
      const own = await reasonOf(async () => {
        await db.asUser('ann', async (tx) => {
          for (const one of first) await tx.query(one, one.text.includes('$1') ? ['ann'] : []);
          await tx.query(statement, values);
          throw new Error('to be rolled back');
        });
      });
      const isForAll = own?.message.includes('multi-task') || own?.code === NOT_ALLOWED;
      const reason = isForAll ? await reasonOf(() => db.system(statement, values)) : own;
      if (reason?.code && CANNOT_RUN.test(reason.code)) failed.push(`${name}: ${reason.message}`);
    }
    expect(failed).toEqual([]);
    expect(types.size).toBeGreaterThan(200);
  },
  600_000,
);

/** Values for the parameters of each statement. Those that cannot be prepared have none: they use a cursor, or make an index. */
async function typesOf(db: Database, statements: readonly Statement[]) {
  const found = new Map<string, unknown[]>();
  const client = await db.pool.connect();
  try {
    for (const { name, text } of statements) {
      const types = await parametersOf(client, text).catch(() => null);
      if (types) found.set(name, types.map(sampleOf));
    }
  } finally {
    client.release();
  }
  return found;
}

async function parametersOf(client: pg.ClientBase, text: string): Promise<string[]> {
  await client.query(`PREPARE asked AS ${text}`);
  const { rows } = await client.query<{ types: string[] }>(`
    SELECT ARRAY(SELECT typname::text FROM unnest(parameter_types) WITH ORDINALITY AS p(type, place)
      JOIN pg_type ON oid = type ORDER BY place) AS types FROM pg_prepared_statements WHERE name = 'asked'`);
  await client.query('DEALLOCATE asked');
  return rows[0]?.types ?? [];
}

type Reason = { message: string; code?: string };

/** Why it fails, as PostgreSQL says it; null if it does not. */
async function reasonOf(work: () => Promise<unknown>): Promise<Reason | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return error as Reason;
  }
}
