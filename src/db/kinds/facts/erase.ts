import type { RedatedFact } from '../../../domain/facts/restated-fact.ts';
import type { Statement, Tx } from '../../core/database.ts';
import { liftRefusals } from '../../facts/edit-facts.ts';
import { eraseMadeFrom } from '../../knowledge/profiles.ts';
import type { Erase, Forgetting, Forgotten } from '../erase.ts';
import { type ForgottenSources, forgottenSources } from './forgotten-sources.ts';
import { markForgotten } from './mark-forgotten.ts';
import { redate, statedByHand } from './stated-by-hand.ts';

/**
 * Facts that hold again when others go that had ended them, up to the next that is left: recursion follows the chain of what
 * took whose place. Nothing may have taken the place of the last of them, as it was recorded after what came next: then that end
 * stays. A statement of its own, as Citus has no recursion beside writes.
 */
const REOPENED: Statement = {
  name: 'forget-facts-reopened',
  text: `
WITH RECURSIVE heirs AS (
  SELECT f.id, f.superseded_by_id AS heir, NULL::timestamptz AS ends FROM facts f
  WHERE f.user_id = $1 AND f.superseded_by_id = ANY($2::int[]) AND f.id <> ALL($2::int[])
  UNION
  SELECT h.id, f.superseded_by_id, f.valid_to FROM heirs h JOIN facts f ON f.user_id = $1 AND f.id = h.heir
  WHERE h.heir = ANY($2::int[])
)
SELECT h.id, h.heir, f.valid_from AS "validFrom", f.retracted_at IS NOT NULL AS "isRetracted",
  CASE WHEN h.heir IS NOT NULL THEN next.valid_from
    WHEN h.ends NOT IN (SELECT valid_from FROM facts WHERE user_id = $1 AND id = ANY($2::int[])) THEN h.ends END AS "validTo"
FROM heirs h JOIN facts f ON f.user_id = $1 AND f.id = h.id
LEFT JOIN facts next ON next.user_id = $1 AND next.id = h.heir
WHERE h.heir IS NULL OR h.heir <> ALL($2::int[])`,
};

type Reopened = {
  id: number;
  heir: number | null;
  validTo: Date | null;
  validFrom: Date | null;
  isRetracted: boolean;
};

/** Facts go, and others hold again. Nothing keeps the date at which a fact began that is gone. */
const ERASE: Statement = {
  name: 'forget-facts',
  text: `
WITH doomed AS MATERIALIZED (
  SELECT valid_from FROM facts WHERE user_id = $1 AND id = ANY($2::int[])
), reopened AS MATERIALIZED (
  SELECT * FROM json_to_recordset($4::json) AS r(id int, heir int, "validTo" timestamptz, "validFrom" timestamptz,
    "isRetracted" boolean)
), ended AS (
  UPDATE fact_versions v SET superseded_at = CASE WHEN r."isRetracted" THEN v.superseded_at ELSE coalesce(v.superseded_at, $3) END,
    valid_to = CASE WHEN v.valid_to IN (SELECT valid_from FROM doomed) THEN r."validTo" ELSE v.valid_to END
  FROM reopened r WHERE v.user_id = $1 AND v.fact_id = r.id
), versions AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, valid_from, valid_to, recorded_at)
  SELECT $1, r.id, (SELECT count(*) + 1 FROM fact_versions v WHERE v.user_id = $1 AND v.fact_id = r.id), 'RESTORED',
    r."validFrom", r."validTo", $3
  FROM reopened r WHERE NOT r."isRetracted"
  RETURNING number
), freed AS (
  UPDATE facts SET active_key = NULL, superseded_by_id = NULL WHERE user_id = $1 AND id = ANY($2::int[])
)
UPDATE facts f SET superseded_by_id = r.heir, valid_to = r."validTo" FROM reopened r
WHERE f.user_id = $1 AND f.id = r.id`,
};

/** The vectors go with their facts: on Citus, a part sees what the parts before it did. */
const DROP: Statement = {
  name: 'forget-facts-drop',
  text: `
WITH known AS MATERIALIZED (
  SELECT count(*)::int AS vectors FROM fact_vectors WHERE user_id = $1 AND fact_id = ANY($2::int[])
), gone AS (
  DELETE FROM facts WHERE user_id = $1 AND id = ANY($2::int[]) RETURNING id
), unrefused AS (
  UPDATE fact_refusals SET by_fact_id = NULL WHERE user_id = $1 AND by_fact_id IN (SELECT id FROM gone)
)
SELECT (SELECT count(*) FROM gone)::int AS facts, (SELECT vectors FROM known) AS vectors`,
};

/** What holds again is active again, unless something else is by now. */
const REACTIVATE: Statement = {
  name: 'forget-facts-reactivate',
  text: `
UPDATE facts f SET active_key = key WHERE f.user_id = $1 AND f.valid_to IS NULL AND f.retracted_at IS NULL
  AND f.active_key IS NULL AND f.key IS NOT NULL AND NOT EXISTS (
    SELECT FROM facts o WHERE o.user_id = $1 AND o.category = f.category AND o.active_key = f.key OFFSET 0)`,
};

/** What a forgotten turn had ended ends when a turn that is left says what took its place; where none does, it holds. */
const MOVE_ENDS: Statement = {
  name: 'forget-facts-ends',
  text: `
WITH kept AS (
  SELECT * FROM json_to_recordset($2::json) AS k(id int, times timestamptz[], "goneTimes" timestamptz[])
), moved AS MATERIALIZED (
  SELECT f.id, f.valid_to AS before, (SELECT min(said) FROM unnest(k.times) AS said WHERE said > f.valid_from) AS after
  FROM facts f JOIN kept k ON f.superseded_by_id = k.id
  WHERE f.user_id = $1 AND f.valid_to = ANY(k."goneTimes") AND f.valid_to <> ALL(k.times)
), versions AS (
  UPDATE fact_versions v SET valid_to = m.after FROM moved m
  WHERE v.user_id = $1 AND v.fact_id = m.id AND v.valid_to = m.before
)
UPDATE facts f SET valid_to = m.after, superseded_by_id = CASE WHEN m.after IS NOT NULL THEN f.superseded_by_id END,
  updated_at = $3
FROM moved m WHERE f.user_id = $1 AND f.id = m.id`,
};

/** Facts in the words, and from the time, of the turns that are left. */
const RESTATE: Statement = {
  name: 'forget-facts-restate',
  text: `
WITH kept AS MATERIALIZED (
  SELECT * FROM json_to_recordset($2::json) AS k(id int, value text, statement text, scope text, confidence float8,
    importance float8, origin "FactOrigin", model text, "validFrom" timestamptz, "lastVerifiedAt" timestamptz, mentions int)
), versions AS (
  UPDATE fact_versions v SET valid_from = k."validFrom", valid_to = CASE WHEN v.valid_to < k."validFrom" THEN k."validFrom" ELSE v.valid_to END
  FROM kept k
  WHERE v.user_id = $1 AND v.fact_id = k.id AND v.valid_from < k."validFrom"
), gone_vectors AS (
  DELETE FROM fact_vectors v USING kept k, facts f
  WHERE v.user_id = $1 AND v.fact_id = k.id AND f.user_id = $1 AND f.id = k.id AND f.statement <> k.statement RETURNING 1
), restated AS (
  UPDATE facts f SET value = k.value, statement = k.statement, scope = k.scope, confidence = k.confidence,
    importance = k.importance, origin = k.origin, model = k.model, valid_from = k."validFrom",
    last_verified_at = k."lastVerifiedAt", mentions = k.mentions, updated_at = $3
  FROM kept k WHERE f.user_id = $1 AND f.id = k.id
)
SELECT count(*)::int AS vectors FROM gone_vectors`,
};

const TAKE_BACK: Statement = {
  name: 'forget-facts-sources',
  text: `
WITH unsaid AS (
  DELETE FROM fact_sources s USING json_to_recordset($2::json) AS u("factId" int, "turnId" int)
  WHERE s.user_id = $1 AND s.fact_id = u."factId" AND s.turn_id = u."turnId"
)
DELETE FROM fact_refusals r USING json_to_recordset($3::json) AS u("turnId" int, number int)
WHERE r.user_id = $1 AND r.turn_id = u."turnId" AND r.number = u.number`,
};

type Gone = Pick<Forgotten, 'facts' | 'vectors' | 'profiles'>;

/**
 * Erases what the turns stated of facts; runs before the turns go. A fact that other turns state, too, stays in their words.
 * What was read in the light of the forgotten turns, and has words of theirs, is read again in the background. Of
 * everything, facts are erased at once.
 */
async function eraseStated(
  tx: Tx,
  { turnIds, isAll, now }: Forgetting,
): Promise<Partial<Forgotten>> {
  if (isAll) return {};
  const byHand = await statedByHand(tx, turnIds, now);
  const found = await forgottenSources(tx, { turnIds, byHand });
  const { dropped, droppedSources, droppedRefusals, again } = found;
  if (droppedSources.length + droppedRefusals.length > 0) {
    const rows = [JSON.stringify(droppedSources), JSON.stringify(droppedRefusals)];
    await tx.query(TAKE_BACK, [tx.userId, ...rows]);
  }
  const restated = await restate(tx, { kept: found.kept, byHand }, now);
  const gone = await dropFacts(tx, dropped, now);
  for (const turnId of again) tx.changed('sourcesForgotten', turnId);
  if (restated > 0) tx.changed('factsRecorded');
  const changed = [...dropped, ...[...found.kept, ...byHand].map(({ id }) => id)];
  const profiles = await eraseMadeFrom(tx, changed);
  return { ...gone, vectors: gone.vectors + restated, profiles };
}

/** @returns how many vectors are gone */
async function restate(
  tx: Tx,
  { kept, byHand }: Pick<ForgottenSources, 'kept'> & { byHand: readonly RedatedFact[] },
  now: Date,
): Promise<number> {
  const left = [...kept, ...byHand];
  if (left.length === 0) return 0;
  const rows = JSON.stringify(kept);
  await tx.query(MOVE_ENDS, [tx.userId, JSON.stringify(left), now]);
  if (byHand.length > 0) await redate(tx, byHand, now);
  const [gone] = await tx.query<{ vectors: number }>(RESTATE, [tx.userId, rows, now]);
  await tx.query(REACTIVATE, [tx.userId]);
  return gone?.vectors ?? 0;
}

/**
 * Erases a fact for good, and the versions of the profile that were made from it; what it had ended holds again, and what was
 * refused because of it is read again.
 */
async function eraseOne(tx: Tx, factId: number, now: Date): Promise<Gone | null> {
  await markForgotten(tx, factId, now);
  await liftRefusals(tx, factId);
  const gone = await dropFacts(tx, [factId], now);
  const profiles = await eraseMadeFrom(tx, [factId]);
  return gone.facts === 0 ? null : { ...gone, profiles };
}

async function dropFacts(
  tx: Tx,
  factIds: readonly number[],
  now: Date,
): Promise<Omit<Gone, 'profiles'>> {
  if (factIds.length === 0) return { facts: 0, vectors: 0 };
  const reopened = await tx.query<Reopened>(REOPENED, [tx.userId, factIds]);
  await tx.query(ERASE, [tx.userId, factIds, now, JSON.stringify(reopened)]);
  const [gone] = await tx.query<Omit<Gone, 'profiles'>>(DROP, [tx.userId, factIds]);
  if ((gone?.facts ?? 0) > 0) await tx.query(REACTIVATE, [tx.userId]);
  return { facts: 0, vectors: 0, ...gone };
}

export const erase: Erase = {
  turns: () => eraseStated,
  withUser: [
    { table: 'fact_vectors', counted: 'vectors' },
    { table: 'facts', counted: 'facts' },
  ],
  named: { row: 'facts f', id: 'f.id', at: 'f.valid_from', text: 'f.statement' },
  alone: eraseOne,
};
