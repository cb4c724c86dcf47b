import type { FactCategory, POLARITIES } from '../../../domain/facts/fact.ts';
import { FORGOTTEN, markOf } from '../../../domain/facts/forgotten-fact.ts';
import type { Statement, Tx } from '../../core/database.ts';

/** How a fact is put, and how each of its turns puts it. A fact that no turn states comes with the newest turn. */
const STATED: Statement = {
  name: 'forgotten-stated',
  text: `
WITH own AS MATERIALIZED (
  SELECT turn_id, key, value, true AS stated FROM fact_sources WHERE user_id = $1 AND fact_id = $2
)
SELECT t.id AS "turnId", s.stated AS "isStated", t.occurred_at AS at, f.category, f.polarity, f.key AS "factKey",
  f.value AS "factValue", s.key, s.value
FROM facts f, (
  SELECT * FROM own
  UNION ALL (
    SELECT id, NULL, NULL, false FROM turns WHERE user_id = $1 AND NOT EXISTS (SELECT FROM own) ORDER BY id DESC LIMIT 1)
) AS s JOIN turns t ON t.user_id = $1 AND t.id = s.turn_id
WHERE f.user_id = $1 AND f.id = $2 ORDER BY t.id`,
};

type Stated = {
  turnId: number;
  isStated: boolean;
  at: Date;
  category: FactCategory;
  polarity: (typeof POLARITIES)[number];
  factKey: string | null;
  factValue: string;
  key: string | null;
  value: string | null;
};

/** The hash of no key. */
const NO_KEY = '';

const MARK: Statement = {
  name: 'forgotten-mark',
  text: `
INSERT INTO fact_refusals (user_id, turn_id, number, category, key, value, statement, polarity, confidence, importance,
  reason, at, recorded_at)
SELECT $1, m."turnId", (SELECT coalesce(max(o.number), 0) FROM fact_refusals o WHERE o.user_id = $1 AND o.turn_id = m."turnId")
    + row_number() OVER (PARTITION BY m."turnId"), m.category, m.key, m.value, '', m.polarity, 0, 0, '${FORGOTTEN}', m.at, $3
FROM json_to_recordset($2::json) AS m("turnId" int, category "FactCategory", key text, value text, polarity "FactPolarity",
  at timestamptz)
RETURNING number`,
};

/**
 * Marks the turns that state a fact, before it is forgotten, so that it is not read from them again, nor the same from other
 * turns of before. If no turn states it, the mark is on the newest turn, from which other facts under its key may be read.
 */
export async function markForgotten(tx: Tx, factId: number, now: Date): Promise<void> {
  const stated = await tx.query<Stated>(STATED, [tx.userId, factId]);
  const marks = stated.flatMap(({ turnId, isStated, at, category, polarity, ...words }) => {
    const whole = markOf({ key: words.factKey, value: words.factValue, polarity });
    const own =
      words.value === null ? whole : markOf({ key: words.key, value: words.value, polarity });
    const distinct = own.value === whole.value ? [whole] : [whole, own];
    const key = isStated ? {} : { key: NO_KEY };
    return distinct.map((mark) => ({ turnId, at, category, polarity, ...mark, ...key }));
  });
  if (marks.length > 0) await tx.query(MARK, [tx.userId, JSON.stringify(marks), now]);
}
