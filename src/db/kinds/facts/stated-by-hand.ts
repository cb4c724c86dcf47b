import {
  type RedatedFact,
  redateFact,
  type StatedByHand,
} from '../../../domain/facts/restated-fact.ts';
import type { Statement, Tx } from '../../core/database.ts';

/** Facts by hand that forgotten turns state, too. */
const BY_HAND: Statement = {
  name: 'forgotten-by-hand',
  text: `
WITH said AS MATERIALIZED (
  SELECT s.fact_id, array_agg(t.occurred_at) FILTER (WHERE t.id = ANY($2::int[])) AS gone,
    coalesce(array_agg(t.occurred_at) FILTER (WHERE t.id <> ALL($2::int[])), '{}') AS "left"
  FROM fact_sources s JOIN turns t ON t.user_id = s.user_id AND t.id = s.turn_id
  WHERE s.user_id = $1 AND s.fact_id IN (SELECT fact_id FROM fact_sources WHERE user_id = $1 AND turn_id = ANY($2::int[]))
  GROUP BY s.fact_id
)
SELECT f.id, f.valid_from AS "validFrom", f.valid_to AS "validTo", f.last_verified_at AS "lastVerifiedAt",
  said.gone AS "goneTimes", said."left" AS "leftTimes",
  ARRAY(SELECT v.valid_from FROM fact_versions v WHERE v.user_id = $1 AND v.fact_id = f.id AND v.valid_from IS NOT NULL)
    AS "versionTimes"
FROM said CROSS JOIN LATERAL (SELECT * FROM facts WHERE user_id = $1 AND id = said.fact_id OFFSET 0) AS f
WHERE f.origin = 'HAND'`,
};

/** The facts by hand that these turns state, too, as they are without the turns. Runs before the turns are erased. */
export async function statedByHand(
  tx: Tx,
  turnIds: readonly number[],
  now: Date,
): Promise<RedatedFact[]> {
  const facts = await tx.query<StatedByHand>(BY_HAND, [tx.userId, turnIds]);
  return facts.map((fact) => redateFact(fact, now));
}

const REDATE: Statement = {
  name: 'forget-facts-redate',
  text: `
WITH kept AS MATERIALIZED (
  SELECT * FROM json_to_recordset($2::json) AS k(id int, "validFrom" timestamptz, "lastVerifiedAt" timestamptz,
    "goneTimes" timestamptz[])
), versions AS (
  UPDATE fact_versions v SET valid_from = k."validFrom",
    valid_to = CASE WHEN v.valid_to < k."validFrom" THEN k."validFrom" ELSE v.valid_to END
  FROM kept k WHERE v.user_id = $1 AND v.fact_id = k.id AND v.valid_from = ANY(k."goneTimes")
)
UPDATE facts f SET valid_from = k."validFrom", last_verified_at = k."lastVerifiedAt", updated_at = $3
FROM kept k WHERE f.user_id = $1 AND f.id = k.id`,
};

/** Facts by hand without the times of forgotten turns. */
export const redate = (tx: Tx, facts: readonly RedatedFact[], now: Date): Promise<object[]> =>
  tx.query(REDATE, [tx.userId, JSON.stringify(facts), now]);
