import pg from 'pg';
import { expect, it } from 'vitest';
import {
  readHalfvecs,
  readVector,
  sentVector,
  vectorAt,
  vectorParameters,
} from '../../../src/db/core/vectors.ts';
import { createTestDatabase } from '../../support/database/database.ts';

/** Zero of both signs, subnormal, the smallest and largest of half precision, and some that are rounded. */
const NUMBERS = [0, -0, 0.000_01, -0.000_06, 1, -1, 65_504, 0.1, -0.333_33, 12.5];

it('a stored vector is read as the numbers that its text form shows', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  const opposite = NUMBERS.map((number) => -number);
  const { rows } = await client.query<{ text: string; sent: string; both: Buffer }>(
    `WITH v AS (SELECT n, ${vectorAt('$1', 'n', '$2')} AS vector FROM generate_series(0, 1) n)
    SELECT vector::text AS text, ${sentVector('vector')} AS sent,
      (SELECT string_agg(halfvec_send(vector), '' ORDER BY n) FROM v) AS both FROM v ORDER BY n`,
    vectorParameters([NUMBERS, opposite]),
  );
  await client.end();
  const shown = rows.map(({ text }) => JSON.parse(text) as number[]);
  const read = rows.map(({ sent }) => readVector(sent));
  for (const [place, vector] of read.entries()) {
    expect(vector).toHaveLength(NUMBERS.length);
    for (const [at, number] of (vector ?? []).entries()) {
      const text = shown[place]?.[at] ?? Number.NaN;
      expect(Math.abs(number - text)).toBeLessThanOrEqual(Math.abs(text) * 1e-6);
    }
  }
  const both = readHalfvecs(rows[0]?.both ?? Buffer.alloc(0), 2);
  expect([...both]).toEqual(read.flatMap((vector) => [...(vector ?? [])]));
  expect(readVector(null)).toBeNull();
});
