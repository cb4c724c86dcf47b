import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { LinkCertainty, LinkOutcome, LinkSign } from '../../domain/links/link-outcome.ts';
import type { LinkingParts, LinkingWeights, LinkVerdict } from '../../domain/links/linking.ts';
import type { Statement, Tx } from '../core/database.ts';

/** The decision whether a thread belongs together with an earlier one, before it is stored. */
export type LinkDraft = LinkingParts & {
  threadId: number;
  earlierThreadId: number;
  /** How many of the thread's first turns it is based on. */
  turns: number;
  algorithmicScore: number;
  algorithmicRelated: boolean;
  algorithmicConfidence: number;
  reasonerRelated: boolean;
  reasonerConfidence: number;
  reasoning: string;
  keySignals: string[];
  generatedBy: GeneratedBy;
  model: string;
  threshold: number;
  weights: LinkingWeights;
  verdict: LinkVerdict;
  certainty: LinkCertainty;
  fusedScore: number;
};

/** A decision that lost its reasons with forgotten turns goes, unless it is made again or its outcome is known. */
const MARK: Statement = {
  name: 'links-mark',
  text: `
WITH gone AS (
  DELETE FROM links WHERE user_id = $1 AND thread_id = $2 AND reasoning IS NULL AND outcome = 'UNKNOWN'
    AND earlier_thread_id <> ALL($4::int[])
)
UPDATE threads SET linked_turns = $3 WHERE user_id = $1 AND id = $2`,
};

/**
 * A decision with a known outcome is kept, and so is one whose verdict has not changed. What was said after a decision still counts as said
 * after it when it is made again because turns were forgotten.
 */
const SAVE: Statement = {
  name: 'links-save',
  text: `
WITH drafts AS (
  SELECT row_number() OVER (ORDER BY "earlierThreadId") AS place, d.* FROM json_to_recordset($2::json) AS d("threadId" int,
    "earlierThreadId" int, turns int, keyword float8, entity float8, topic float8, recency float8,
    "algorithmicScore" float8, "algorithmicRelated" boolean, "algorithmicConfidence" float8, "reasonerRelated" boolean,
    "reasonerConfidence" float8, reasoning text, "keySignals" text[], "generatedBy" "GeneratedBy", model text,
    threshold float8, weights jsonb, verdict "LinkVerdict", certainty "LinkCertainty", "fusedScore" float8)
), counted AS (
  UPDATE users SET last_link = last_link + (SELECT count(*) FROM drafts) WHERE user_id = $1 RETURNING last_link
)
INSERT INTO links AS l (user_id, id, thread_id, earlier_thread_id, turns, keyword, entity, topic, recency, algorithmic_score,
  algorithmic_related, algorithmic_confidence, reasoner_related, reasoner_confidence, reasoning, key_signals, generated_by,
  model, threshold, weights, verdict, certainty, fused_score, joins, watched_through, decided_at)
SELECT $1, last_link - (SELECT count(*) FROM drafts) + place, "threadId", "earlierThreadId", turns, keyword, entity, topic,
  recency, "algorithmicScore", "algorithmicRelated", "algorithmicConfidence", "reasonerRelated", "reasonerConfidence",
  reasoning, "keySignals", "generatedBy", model, threshold, weights, verdict, certainty, "fusedScore", verdict = 'LINK',
  turns, $3
FROM drafts, counted
ON CONFLICT (user_id, thread_id, earlier_thread_id) DO UPDATE SET turns = CASE
    WHEN l.reasoning IS NULL THEN least(l.turns, excluded.turns) ELSE excluded.turns END, keyword = excluded.keyword,
  entity = excluded.entity, topic = excluded.topic, recency = excluded.recency,
  algorithmic_score = excluded.algorithmic_score, algorithmic_related = excluded.algorithmic_related,
  algorithmic_confidence = excluded.algorithmic_confidence, reasoner_related = excluded.reasoner_related,
  reasoner_confidence = excluded.reasoner_confidence, reasoning = excluded.reasoning, key_signals = excluded.key_signals,
  generated_by = excluded.generated_by, model = excluded.model, threshold = excluded.threshold, weights = excluded.weights,
  verdict = excluded.verdict, certainty = excluded.certainty, fused_score = excluded.fused_score, joins = excluded.joins,
  watched_through = excluded.watched_through, decided_at = excluded.decided_at
WHERE l.outcome = 'UNKNOWN' AND (excluded.verdict <> l.verdict OR l.reasoning IS NULL)
RETURNING id, earlier_thread_id AS "earlierThreadId"`,
};

export type SavedLink = { id: number; earlierThreadId: number };

/** Stores decisions about a thread and the number of its first turns compared. The user's row must be locked. */
export async function save(
  tx: Tx,
  { id, linkedTurns }: { id: number; linkedTurns: number },
  drafts: readonly LinkDraft[],
  now: Date,
): Promise<SavedLink[]> {
  const compared = drafts.map(({ earlierThreadId }) => earlierThreadId);
  await tx.query(MARK, [tx.userId, id, linkedTurns, compared]);
  if (drafts.length === 0) return [];
  return tx.query<SavedLink>(SAVE, [tx.userId, JSON.stringify(drafts), now]);
}

/** A reasoner's assessment of a thread and an earlier one. */
export type EarlierAssessment = {
  earlierThreadId: number;
  related: boolean;
  confidence: number;
  reasoning: string;
  keySignals: string[];
};

const EARLIER_ASSESSMENTS: Statement = {
  name: 'links-earlier-assessments',
  text: `
SELECT earlier_thread_id AS "earlierThreadId", reasoner_related AS related, reasoner_confidence AS confidence, reasoning,
  key_signals AS "keySignals"
FROM links WHERE user_id = $1 AND thread_id = $2 AND reasoning IS NOT NULL AND generated_by = $3::"GeneratedBy" AND model = $4`,
};

/** The assessments by this reasoner of a thread and earlier ones, without those that were forgotten with a turn. */
export const earlierAssessments = (
  tx: Tx,
  threadId: number,
  by: Pick<LinkDraft, 'generatedBy' | 'model'>,
): Promise<EarlierAssessment[]> =>
  tx.query(EARLIER_ASSESSMENTS, [tx.userId, threadId, by.generatedBy, by.model]);

const UNSEEN: Statement = {
  name: 'links-unseen',
  text: `
SELECT EXISTS (SELECT FROM threads WHERE user_id = $1 AND linked_turns < $2::int AND turn_count > 0) AS "toCompare",
  EXISTS (SELECT FROM links WHERE user_id = $1 AND watched_through IS NOT NULL) AS "toWatch"`,
};

/** Reports `threadsToCompare` and `linksToWatch` if there are such threads and links. @param whole the most first turns that are compared */
export async function noteUnseen(tx: Tx, whole: number): Promise<void> {
  const [row] = await tx.query<{ toCompare: boolean; toWatch: boolean }>(UNSEEN, [
    tx.userId,
    whole,
  ]);
  if (row?.toCompare) tx.changed('threadsToCompare');
  if (row?.toWatch) tx.changed('linksToWatch');
}

const RATE: Statement = {
  name: 'links-rate',
  text: `
UPDATE links SET outcome = $3::"LinkOutcome", sign = $4::"LinkSign", rated_at = $5, watched_through = NULL,
  joins = $6 WHERE user_id = $1 AND id = $2`,
};

/** Sets a decision's outcome, and whether it joins its threads. */
export const rate = (
  tx: Tx,
  id: number,
  {
    outcome,
    sign,
    joins,
    at,
  }: { outcome: LinkOutcome; sign: LinkSign | null; joins: boolean; at: Date | null },
): Promise<object[]> => tx.query(RATE, [tx.userId, id, outcome, sign, at, joins]);

/** A decision with the fields that rating needs. */
export type RatableLink = {
  id: number;
  threadId: number;
  earlierThreadId: number;
  verdict: LinkVerdict;
  outcome: LinkOutcome;
  joins: boolean;
};

const FIND: Statement = {
  name: 'links-find',
  text: `
SELECT id, thread_id AS "threadId", earlier_thread_id AS "earlierThreadId", verdict, outcome, joins
FROM links WHERE user_id = $1 AND id = $2`,
};

export async function find(tx: Tx, id: number): Promise<RatableLink | null> {
  return (await tx.query<RatableLink>(FIND, [tx.userId, id]))[0] ?? null;
}
