import pg from 'pg';
import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/auth/api-keys.ts';
import { diagnose } from '../../../src/db/operations/diagnosis.ts';
import { createTestDatabase } from '../../support/database/database.ts';
import { createWorld } from '../../support/world.ts';

/** Runs statements, and returns the rows of the last one. */
async function run(connection: pg.PoolConfig, ...statements: string[]): Promise<object[]> {
  const client = new pg.Client(connection);
  await client.connect();
  let rows: object[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}

it('a diagnosis counts keys, vectors by embedder and jobs, and names the versions', async () => {
  await using database = await createTestDatabase();
  const { connection, embedded } = database;
  await using world = await createWorld({ EMBEDDER: 'none' }, { connection: database });
  await createApiKey(world.ctx, 'one');
  await run(
    connection,
    `INSERT INTO users (user_id) VALUES ('ada'), ('bob')`,
    `INSERT INTO index_progress (user_id, index_name, through) VALUES
      ('ada', 'vectors:one/1', 1), ('bob', 'vectors:one/1', 1), ('bob', 'vectors:two', 1)`,
    `INSERT INTO jobs (user_id, step, run_at, dead_at) VALUES
      ('ada', 'embed-turns', now() - interval '1 hour', NULL),
      ('ada', 'link-threads', now() + interval '1 hour', NULL),
      ('bob', 'link-threads', now(), now())`,
  );
  const found = await diagnose(connection);
  expect(found).toMatchObject({
    server: expect.stringMatching(/^\d+/),
    vector: expect.stringMatching(/^0\.\d+/),
    pending: [],
    contents: {
      keys: 1,
      embedders: [
        { name: 'one/1', users: 2 },
        { name: 'two', users: 1 },
      ],
      deadJobs: 1,
      backlog: 2,
    },
  });
  expect(found.contents?.waited).toBeGreaterThan(3_500);
  expect(found.contents?.waited).toBeLessThan(3_700);
  if (!embedded) expect(found.vectorAvailable).toMatch(/^0\.\d+/);
});

it('a diagnosis of an empty database names what is pending, and one of a newer version is refused', async () => {
  await using database = await createTestDatabase();
  const { connection } = database;
  const rename = (from: string, to: string) =>
    `UPDATE _prisma_migrations SET migration_name = '${to}' WHERE migration_name = '${from}'`;
  const rows = await run(connection, 'SELECT migration_name AS name FROM _prisma_migrations');
  const [{ name } = { name: '' }] = rows as { name: string }[];
  await run(connection, rename(name, '29990101000000_later'));
  try {
    await expect(diagnose(connection)).rejects.toThrow(/used by a newer version/);
    await run(
      connection,
      `UPDATE _prisma_migrations SET rolled_back_at = now()
       WHERE migration_name = '29990101000000_later'`,
    );
    expect(await diagnose(connection)).toMatchObject({
      pending: expect.arrayContaining([name]),
      contents: null,
    });
  } finally {
    await run(
      connection,
      rename('29990101000000_later', name),
      'UPDATE _prisma_migrations SET rolled_back_at = NULL',
    );
  }
});
