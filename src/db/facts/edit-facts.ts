import type { DatedFact } from '../../domain/facts/fact-timeline.ts';
import type { Statement, Tx } from '../core/database.ts';

type EditableFact = Omit<DatedFact, 'turnId'> & { scope: string | null; isRetracted: boolean };

const FIND: Statement = {
  name: 'facts-find',
  text: `
SELECT id::text, category, key, value, statement, polarity, scope, confidence, valid_from AS "validFrom",
  valid_to AS "validTo", retracted_at IS NOT NULL AS "isRetracted"
FROM facts WHERE user_id = $1 AND id = $2`,
};

export async function find(tx: Tx, id: number): Promise<EditableFact | null> {
  return (await tx.query<EditableFact>(FIND, [tx.userId, id]))[0] ?? null;
}

const PIN: Statement = {
  name: 'facts-pin',
  text: `UPDATE facts SET pinned = $3, updated_at = $4 WHERE user_id = $1 AND id = $2 RETURNING id`,
};

export const pin = (tx: Tx, id: number, pinned: boolean, now: Date): Promise<object[]> =>
  tx.query(PIN, [tx.userId, id, pinned, now]);

/** Supersedes the current version by one that records the retraction. */
const RETRACT: Statement = {
  name: 'facts-retract',
  text: `
WITH ended AS (
  UPDATE fact_versions SET superseded_at = $3 WHERE user_id = $1 AND fact_id = $2 AND superseded_at IS NULL
), version AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, recorded_at)
  SELECT $1, $2, count(*) + 1, 'RETRACTED', $3 FROM fact_versions WHERE user_id = $1 AND fact_id = $2
  RETURNING number
)
UPDATE facts SET retracted_at = $3, active_key = NULL, updated_at = $3 WHERE user_id = $1 AND id = $2`,
};

/** Retracts a fact. */
export const retract = (tx: Tx, id: number, now: Date): Promise<object[]> =>
  tx.query(RETRACT, [tx.userId, id, now]);

const RESTORE: Statement = {
  name: 'facts-restore',
  text: `
WITH ended AS (
  UPDATE fact_versions SET superseded_at = $4 WHERE user_id = $1 AND fact_id = $2 AND superseded_at IS NULL
), version AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, valid_from, valid_to, recorded_at)
  SELECT $1, $2, (SELECT count(*) + 1 FROM fact_versions WHERE user_id = $1 AND fact_id = $2), 'RESTORED', valid_from, $3,
    $4
  FROM facts WHERE user_id = $1 AND id = $2
  RETURNING number
)
UPDATE facts SET retracted_at = NULL, valid_to = $3, active_key = CASE WHEN $3::timestamptz IS NULL THEN key END,
  updated_at = $4
WHERE user_id = $1 AND id = $2`,
};

/** Restores a retracted fact, valid up to `validTo` (null = still). No other fact may be active under its key. */
export const restore = (tx: Tx, id: number, validTo: Date | null, now: Date): Promise<object[]> =>
  tx.query(RESTORE, [tx.userId, id, validTo, now]);
