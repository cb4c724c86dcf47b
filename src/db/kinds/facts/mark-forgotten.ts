import type { FactCategory, POLARITIES } from '../../../domain/facts/fact.ts';
import { FORGOTTEN, markOf } from '../../../domain/facts/forgotten-fact.ts';
import type { Statement, Tx } from '../../core/database.ts';

/** How a fact is put, and how each of its turns puts it. */
const STATED: Statement = {
  name: 'forgotten-stated',
  text: `
SELECT s.turn_id AS "turnId", t.occurred_at AS at, f.category, f.polarity, f.key AS "factKey", f.value AS "factValue",
  s.key, s.value
FROM facts f JOIN fact_sources s ON s.user_id = f.user_id AND s.fact_id = f.id
JOIN turns t ON t.user_id = s.user_id AND t.id = s.turn_id
WHERE f.user_id = $1 AND f.id = $2 ORDER BY s.turn_id`,
};

type Stated = {
  turnId: number;
  at: Date;
  category: FactCategory;
  polarity: (typeof POLARITIES)[number];
  factKey: string | null;
  factValue: string;
  key: string | null;
  value: string | null;
};

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

/** Marks the turns that state a fact, before it is forgotten, so that it is not read from them again. */
export async function markForgotten(tx: Tx, factId: number, now: Date): Promise<void> {
  const stated = await tx.query<Stated>(STATED, [tx.userId, factId]);
  const marks = stated.flatMap(({ turnId, at, category, polarity, ...words }) => {
    const whole = markOf({ key: words.factKey, value: words.factValue, polarity });
    const own =
      words.value === null ? whole : markOf({ key: words.key, value: words.value, polarity });
    const distinct = own.value === whole.value ? [whole] : [whole, own];
    return distinct.map((mark) => ({ turnId, at, category, polarity, ...mark }));
  });
  if (marks.length > 0) await tx.query(MARK, [tx.userId, JSON.stringify(marks), now]);
}
