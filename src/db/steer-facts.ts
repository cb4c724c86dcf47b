import type { DatedFact } from '../domain/fact-timeline.ts';
import type { Statement, Tx } from './database.ts';

type Steered = DatedFact & { scope: string | null; isRetracted: boolean };

const FIND: Statement = {
  name: 'facts-find',
  text: `
SELECT id::text, category, key, value, statement, polarity, scope, confidence, valid_from AS "validFrom",
  valid_to AS "validTo", retracted_at IS NOT NULL AS "isRetracted"
FROM facts WHERE user_id = $1 AND id = $2`,
};

export async function find(tx: Tx, userId: string, id: number): Promise<Steered | null> {
  return (await tx.query<Steered>(FIND, [userId, id]))[0] ?? null;
}

const PIN: Statement = {
  name: 'facts-pin',
  text: `UPDATE facts SET pinned = $3, updated_at = $4 WHERE user_id = $1 AND id = $2 RETURNING id`,
};

export const pin = (
  tx: Tx,
  userId: string,
  id: number,
  pinned: boolean,
  now: Date,
): Promise<object[]> => tx.query(PIN, [userId, id, pinned, now]);

/** The version that is believed now ends, and the next one says what is believed instead. */
const RETRACT: Statement = {
  name: 'facts-retract',
  text: `
WITH ended AS (
  UPDATE fact_versions SET superseded_at = $3 WHERE user_id = $1 AND fact_id = $2 AND superseded_at IS NULL
), version AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, recorded_at)
  SELECT $1, $2, count(*) + 1, 'RETRACTED', $3 FROM fact_versions WHERE user_id = $1 AND fact_id = $2
)
UPDATE facts SET retracted_at = $3, active_key = NULL, updated_at = $3 WHERE user_id = $1 AND id = $2`,
};

/** Takes a fact back. */
export const retract = (tx: Tx, userId: string, id: number, now: Date): Promise<object[]> =>
  tx.query(RETRACT, [userId, id, now]);

const CLOSE: Statement = {
  name: 'facts-close',
  text: `
WITH closed AS (
  SELECT * FROM json_to_recordset($2::json) AS c(id int, "validTo" timestamptz, by int)
), ended AS (
  UPDATE fact_versions v SET superseded_at = $3 FROM closed c
  WHERE v.user_id = $1 AND v.fact_id = c.id AND v.superseded_at IS NULL
), versions AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, valid_from, valid_to, recorded_at)
  SELECT $1, c.id, (SELECT count(*) + 1 FROM fact_versions v WHERE v.user_id = $1 AND v.fact_id = c.id), 'CLOSED',
    f.valid_from, c."validTo", $3
  FROM closed c JOIN facts f ON f.user_id = $1 AND f.id = c.id
)
UPDATE facts f SET valid_to = c."validTo", active_key = NULL, superseded_by_id = c.by, updated_at = $3
FROM closed c WHERE f.user_id = $1 AND f.id = c.id`,
};

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
)
UPDATE facts SET retracted_at = NULL, valid_to = $3, active_key = CASE WHEN $3::timestamptz IS NULL THEN key END,
  updated_at = $4
WHERE user_id = $1 AND id = $2`,
};

/** Believes a fact again up to a time (null = still), after those that give way to it have ended. */
export async function restore(
  tx: Tx,
  userId: string,
  { id, validTo }: { id: number; validTo: Date | null },
  closed: readonly { id: string; validTo: Date; by: string }[],
  now: Date,
): Promise<void> {
  const rows = closed.map((own) => ({ ...own, id: Number(own.id), by: Number(own.by) }));
  if (rows.length > 0) await tx.query(CLOSE, [userId, JSON.stringify(rows), now]);
  await tx.query(RESTORE, [userId, id, validTo, now]);
}
