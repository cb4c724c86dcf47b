import fc from 'fast-check';
import pg from 'pg';
import { expect, it } from 'vitest';
import { idf } from '../../src/domain/ranking/idf.ts';
import { createTestDatabase } from '../support/database/database.ts';

it("the database's idf equals the one in TypeScript, even if more turns have a term than there are", async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  const counts = fc.sample(fc.tuple(fc.nat(5_000), fc.nat(6_000)), { seed: 4, numRuns: 200 });
  const { rows } = await client.query<{ idf: number }>(
    'SELECT idf(n, df) AS idf FROM unnest($1::float8[], $2::float8[]) AS c (n, df)',
    [counts.map(([n]) => n), counts.map(([, df]) => df)],
  );
  await client.end();
  for (const [at, [n, df]] of counts.entries()) {
    expect(rows[at]?.idf).toBeCloseTo(idf(n, df), 9);
    expect(rows[at]?.idf).toBeGreaterThan(0);
  }
});
