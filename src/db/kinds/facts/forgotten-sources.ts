import type { FactOrigin } from '../../../domain/facts/fact.ts';
import {
  type FactSource,
  type FactWords,
  type RedatedFact,
  type RestatedFact,
  restateFact,
} from '../../../domain/facts/restated-fact.ts';
import type { Statement, Tx } from '../../core/database.ts';
import { rowsInWordsOf, type Searched } from './foreign-words.ts';
import { READ_TOGETHER } from './read-together.ts';

/** What the turns that are left say of facts, and what was refused of them. */
const SOURCES: Statement = {
  name: 'forgotten-sources',
  text: `
WITH ${READ_TOGETHER}, hit AS MATERIALIZED (
  SELECT DISTINCT fact_id AS id FROM fact_sources WHERE user_id = $1 AND turn_id = ANY($2::int[])
)
SELECT f.id AS "factId", f.key AS "factKey", json_build_object('value', f.value, 'statement', f.statement,
    'scope', f.scope) AS fact, f.valid_to AS "validTo", f.retracted_at IS NOT NULL AS "isRetracted",
  f.origin = 'HAND' AS "isByHand", f.id IN (SELECT id FROM hit) AS "isHit", CASE WHEN 'MODEL' IN (f.origin, coalesce(s.origin, f.origin))
    THEN t.id IN (SELECT id FROM near_by_model) ELSE t.id IN (SELECT id FROM near_by_rules) END AS "isNear", t.id AS "turnId", t.occurred_at AS at,
  s.value IS NOT NULL AS "isKept", coalesce(s.key, CASE WHEN s.value IS NULL THEN f.key END) AS key,
  coalesce(s.value, f.value) AS value, coalesce(s.statement, f.statement) AS statement,
  CASE WHEN s.value IS NULL THEN f.scope ELSE s.scope END AS scope, s.confidence, s.importance, s.origin, s.model
FROM facts f JOIN fact_sources s ON s.user_id = f.user_id AND s.fact_id = f.id
JOIN turns t ON t.user_id = s.user_id AND t.id = s.turn_id
WHERE f.user_id = $1 AND t.id <> ALL($2::int[])
ORDER BY f.id, t.id`,
};

type SourceRow = FactWords & {
  factId: number;
  /** How the fact itself is put. */
  fact: Omit<FactWords, 'key'>;
  factKey: string | null;
  validTo: Date | null;
  isRetracted: boolean;
  /** A person said it, too: it stays, in that person's words. */
  isByHand: boolean;
  /** One of the turns of the fact is forgotten. */
  isHit: boolean;
  /** It may have been read together with them. */
  isNear: boolean;
  turnId: number;
  at: Date;
  /** Its own words are known. */
  isKept: boolean;
  confidence: number;
  importance: number;
  origin: FactOrigin;
  model: string | null;
};

function byFact(rows: readonly SourceRow[]): SourceRow[][] {
  const facts = new Map<number, SourceRow[]>();
  for (const row of rows) {
    const own = facts.get(row.factId);
    if (own) own.push(row);
    else facts.set(row.factId, [row]);
  }
  return [...facts.values()];
}

/** Facts of which no turn is left, and when the forgotten turns said what others say, too. */
const HIT: Statement = {
  name: 'forgotten-facts',
  text: `
SELECT f.id, array_agg(t.occurred_at) AS times, NOT EXISTS (
    SELECT FROM fact_sources s WHERE s.user_id = $1 AND s.fact_id = f.id AND s.turn_id <> ALL($2::int[])) AS "isGone"
FROM facts f JOIN fact_sources s ON s.user_id = f.user_id AND s.fact_id = f.id
JOIN turns t ON t.user_id = s.user_id AND t.id = s.turn_id
WHERE f.user_id = $1 AND f.origin <> 'HAND' AND t.id = ANY($2::int[])
GROUP BY f.id`,
};

const REFUSALS: Statement = {
  name: 'forgotten-refusals',
  text: `
WITH ${READ_TOGETHER}
SELECT r.turn_id AS "turnId", r.number, r.by_fact_id AS "byFactId", r.key, r.value, r.statement, NULL AS scope,
  t.id IN (SELECT id FROM near_by_model) AS "isNear"
FROM fact_refusals r JOIN turns t ON t.user_id = r.user_id AND t.id = r.turn_id
WHERE r.user_id = $1 AND t.id <> ALL($2::int[])`,
};

type RefusalWords = FactWords & {
  turnId: number;
  number: number;
  byFactId: number | null;
  isNear: boolean;
};

/** What forgetting some turns means for facts. */
export type ForgottenSources = {
  /** Facts that go: nothing is left that says them, or what is left has to be read again. */
  dropped: number[];
  /** Facts that others state. `goneTimes`: when the forgotten turns said them. */
  kept: (RestatedFact & { goneTimes: Date[] })[];
  /** Sources of turns that are left, in words of the forgotten ones. */
  droppedSources: { factId: number; turnId: number }[];
  droppedRefusals: { turnId: number; number: number }[];
  /** Turns that are left and have to be read again. */
  again: number[];
};

/**
 * What must be erased from facts together with some turns: the facts that they state, and words of theirs in facts of other
 * turns, which were read with their help. Runs before the turns are erased.
 */
export async function forgottenSources(
  tx: Tx,
  { turnIds, byHand }: { turnIds: readonly number[]; byHand: readonly RedatedFact[] },
): Promise<ForgottenSources> {
  const hits = await tx.query<{ id: number; times: Date[]; isGone: boolean }>(HIT, [
    tx.userId,
    turnIds,
  ]);
  const sources = byFact(await tx.query<SourceRow>(SOURCES, [tx.userId, turnIds]));
  const refusals = await tx.query<RefusalWords>(REFUSALS, [tx.userId, turnIds]);
  const foreign = await rowsInWordsOf(tx, turnIds, searchedIn(sources, refusals));
  return verdictsOn({ hits, byHand, sources, refusals, foreign });
}

type Row = RefusalWords | SourceRow | SourceRow[];

const isFromRules = ({ isKept, origin }: SourceRow): boolean => isKept && origin !== 'MODEL';

const aloneIn = (row: RefusalWords | SourceRow) => ({
  of: row,
  turnIds: [row.turnId],
  isNear: row.isNear,
});

/** What is searched for words of the forgotten turns. */
function* searchedIn(
  sources: readonly SourceRow[][],
  refusals: readonly RefusalWords[],
): Generator<Searched<Row>> {
  for (const row of refusals) {
    yield { ...aloneIn(row), isByRules: false, words: row };
  }
  for (const row of sources.flat()) {
    const isByRules = isFromRules(row);
    yield { ...aloneIn(row), isByRules, words: row };
    if (row.factKey !== row.key) {
      yield { ...aloneIn(row), isByRules, words: { ...row, key: row.factKey } };
    }
  }
  for (const rows of sources) {
    const [row] = rows;
    // A fact that a forgotten turn stated is restated anyway.
    if (!row || row.isHit || row.isByHand) continue;
    const turnIds = rows.map(({ turnId }) => turnId);
    const isNear = rows.some((source) => source.isNear);
    const isByRules = rows.every(isFromRules);
    yield { of: rows, turnIds, isNear, isByRules, words: { ...row.fact, key: row.factKey } };
  }
}

type Found = {
  hits: readonly { id: number; times: Date[]; isGone: boolean }[];
  byHand: readonly RedatedFact[];
  sources: readonly SourceRow[][];
  refusals: readonly RefusalWords[];
  /** Those in words of the forgotten turns. */
  foreign: ReadonlySet<Row>;
};

function verdictsOn({ hits, byHand, sources, refusals, foreign }: Found): ForgottenSources {
  const timesOf = new Map(hits.map(({ id, times }) => [id, times]));
  const found: ForgottenSources = {
    dropped: hits.flatMap(({ id, isGone }) => (isGone ? [id] : [])),
    kept: [],
    droppedSources: [],
    droppedRefusals: [],
    again: [],
  };
  /** Restates a fact by the sources that are left, or drops it. Returns those that do not count any more. */
  const leave = (rows: SourceRow[]): SourceRow[] => {
    const { factId: id, factKey: key, validTo } = rows[0] as SourceRow;
    const left = rows.filter((row) => !foreign.has(row));
    const fact = restateFact({ id, key, validTo, sources: left.map(sourceOf) });
    if (fact) found.kept.push({ ...fact, goneTimes: timesOf.get(id) ?? [] });
    else found.dropped.push(id);
    return fact ? rows.filter((row) => foreign.has(row)) : rows;
  };
  for (const rows of sources) {
    const [row] = rows;
    if (!row || !(row.isHit || foreign.has(rows) || rows.some((one) => foreign.has(one)))) continue;
    const unread = row.isByHand ? rows.filter((one) => foreign.has(one)) : leave(rows);
    found.droppedSources.push(...unread.map(({ factId, turnId }) => ({ factId, turnId })));
    // What the user took back is not learned again.
    if (!row.isRetracted) found.again.push(...unread.map(({ turnId }) => turnId));
  }
  const moved = byHand.filter(({ isMoved }) => isMoved);
  const changed = new Set([...found.dropped, ...[...found.kept, ...moved].map(({ id }) => id)]);
  const lifted = refusals.filter(
    (refusal) =>
      foreign.has(refusal) || (refusal.byFactId !== null && changed.has(refusal.byFactId)),
  );
  found.droppedRefusals = lifted.map(({ turnId, number }) => ({ turnId, number }));
  const again = [...found.again, ...lifted.map(({ turnId }) => turnId)];
  return { ...found, again: [...new Set(again)] };
}

const sourceOf = (row: SourceRow): FactSource => {
  const { turnId, at, isKept, key, value, statement, scope } = row;
  const { confidence, importance, origin, model } = row;
  const wording = { key, value, statement, scope, confidence, importance, origin, model };
  return { turnId, at, wording: isKept ? wording : null };
};
