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

const RETRACTED: Statement = {
  name: 'facts-retracted',
  text: `
SELECT category, key, value, polarity, retracted_at AS "retractedAt" FROM facts
WHERE user_id = $1 AND retracted_at IS NOT NULL AND (key = ANY($2) OR (key IS NULL AND lower(value) = ANY($3)))`,
};

/** A fact that was taken back, and when. */
export type Retracted = Pick<DatedFact, 'category' | 'key' | 'value' | 'polarity'> & {
  retractedAt: Date;
};

/** The retracted facts under one of these keys or, without a key, with one of these values. */
export const retracted = (
  tx: Tx,
  { keys, values }: { keys: readonly string[]; values: readonly string[] },
): Promise<Retracted[]> => tx.query(RETRACTED, [tx.userId, keys, values]);

const LIFT: Statement = {
  name: 'facts-lift-refusals',
  text: `DELETE FROM fact_refusals WHERE user_id = $1 AND by_fact_id = $2 RETURNING turn_id AS "turnId"`,
};

/** Forgets what was refused because of a fact that is no longer believed: its turns are read again. */
export async function liftRefusals(tx: Tx, byFactId: number): Promise<void> {
  const lifted = await tx.query<{ turnId: number }>(LIFT, [tx.userId, byFactId]);
  for (const turnId of new Set(lifted.map((refusal) => refusal.turnId)))
    tx.changed('sourcesForgotten', turnId);
}

/**
 * The facts that fact $2 had ended. Each holds again until the end of $2, or until the next believed fact under its key begins,
 * if that is earlier; `heir` is the fact that follows it then. Of several facts with one category and key, only the one that
 * ended last.
 */
const HELD_BEFORE: Statement = {
  name: 'facts-held-before',
  text: `
SELECT DISTINCT ON (ended.category, coalesce(ended.key, ended.id::text)) ended.id, least(gone.valid_to, next.valid_from) AS "validTo",
  CASE WHEN next.valid_from = least(gone.valid_to, next.valid_from) THEN next.id ELSE gone.superseded_by_id END AS heir
FROM facts gone JOIN facts ended ON ended.user_id = gone.user_id AND ended.superseded_by_id = gone.id
LEFT JOIN LATERAL (
  SELECT other.id, other.valid_from FROM facts other
  WHERE other.user_id = $1 AND other.key = ended.key AND other.id NOT IN (ended.id, gone.id) AND other.retracted_at IS NULL
    AND other.valid_from >= ended.valid_to AND (other.valid_to IS NULL OR other.valid_to > other.valid_from)
  ORDER BY other.valid_from, other.id LIMIT 1) AS next ON true
WHERE gone.user_id = $1 AND gone.id = $2 AND ended.user_id = $1 AND ended.retracted_at IS NULL AND ended.valid_to IS NOT NULL
  AND (gone.valid_to IS NULL OR gone.valid_to > ended.valid_to) AND (next.id IS NULL OR next.valid_from > ended.valid_to)
ORDER BY ended.category, coalesce(ended.key, ended.id::text), ended.valid_to DESC, ended.id DESC`,
};

/** A fact that is to hold again: until when (null = still), and which fact takes its place then. */
export type Restored = { id: number; validTo: Date | null; heir: number | null };

/** The facts that hold again when a fact was never true: what it had ended. */
export const heldBefore = (tx: Tx, id: number): Promise<Restored[]> =>
  tx.query(HELD_BEFORE, [tx.userId, id]);

const RESTORE: Statement = {
  name: 'facts-restore',
  text: `
WITH restored AS MATERIALIZED (
  SELECT * FROM json_to_recordset($2::json) AS r(id int, "validTo" timestamptz, heir int)
), ended AS (
  UPDATE fact_versions v SET superseded_at = $3 FROM restored r
  WHERE v.user_id = $1 AND v.fact_id = r.id AND v.superseded_at IS NULL
), versions AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, valid_from, valid_to, recorded_at)
  SELECT $1, r.id, (SELECT count(*) + 1 FROM fact_versions v WHERE v.user_id = $1 AND v.fact_id = r.id), 'RESTORED',
    f.valid_from, r."validTo", $3
  FROM restored r JOIN facts f ON f.user_id = $1 AND f.id = r.id
  RETURNING number
)
UPDATE facts f SET retracted_at = NULL, valid_to = r."validTo", superseded_by_id = r.heir, updated_at = $3,
  active_key = CASE WHEN r."validTo" IS NULL THEN f.key END
FROM restored r WHERE f.user_id = $1 AND f.id = r.id`,
};

/** Lets facts hold again, retracted ones too. For one that still holds, no other fact of its category and key may be active. */
export const restore = (tx: Tx, facts: readonly Restored[], now: Date): Promise<object[]> =>
  tx.query(RESTORE, [tx.userId, JSON.stringify(facts), now]);
