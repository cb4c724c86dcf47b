import type { Statement, Tx } from './database.ts';

/** A turn's own terms with their frequencies. */
export type TurnTerms = { turnId: number; terms: [term: string, frequency: number][] };

const INSERT: Statement = {
  name: 'postings-insert',
  text: `
WITH stored AS (
  INSERT INTO postings (user_id, term, turn_id, frequency)
  SELECT $1, p.term, p.turn_id, p.frequency
  FROM unnest($2::text[], $3::int[], $4::smallint[]) AS p(term, turn_id, frequency)
  RETURNING turn_id
)
SELECT`,
};

/** Adds turns to the keyword index. `advance` must have confirmed that they are not indexed yet. */
export async function insert(tx: Tx, turns: readonly TurnTerms[]): Promise<void> {
  const rows = turns.flatMap(({ turnId, terms }) =>
    terms.map(([term, frequency]) => ({ turnId, term, frequency: Math.min(frequency, 32_767) })),
  );
  await tx.query(INSERT, [
    tx.userId,
    rows.map((row) => row.term),
    rows.map((row) => row.turnId),
    rows.map((row) => row.frequency),
  ]);
}
