import type { RecallContext } from '../context.ts';
import type { TurnSearch } from '../db/search/search.ts';
import { type SegmentSummary, segmentFinder } from '../domain/episodes/segment-summary.ts';
import type { TurnCandidate } from '../domain/ranking/candidate.ts';
import type { Scale } from '../domain/ranking/memory-ranking.ts';
import { mayLead, type RankingQuery, type Scoring } from '../domain/ranking/ranking.ts';
import { marksOf } from '../domain/ranking/ranking-marks.ts';
import { scaleOf, scoreTurns } from '../domain/ranking/score-turns.ts';
import type { ScoredTurn } from '../domain/ranking/scored.ts';
import { WHOLE_BYTES } from '../domain/turns/turn.ts';
import type { MemoryReader } from '../memory.ts';
import { candidatesFrom, type TurnSource } from './turn-sources.ts';

/** What is looked for where, and for how many of the first, whose forgetting has a floor, none may be missing. */
export type TurnQuestion = {
  search: TurnSearch;
  sources: readonly TurnSource[];
  query: RankingQuery;
  scoring: Scoring;
  first: number;
  floor: number;
};

/** The turns that may answer. */
export type FoundTurns = {
  /** Those that may be among the first, scored by words and vectors, with what the ranking reads in their texts; unordered. */
  scored: ScoredTurn[];
  /** The closed segment that a turn lies in. */
  segmentOf: ReturnType<typeof segmentFinder>;
  /** Of all that were found; null when nothing was. */
  scale: Scale | null;
  timeZone: string | null;
  /** Whether the embedder has come to all turns. */
  embedded: boolean;
};

/** The turns that may answer: by words and by vectors, all that can come among the first so many. */
export async function findTurns(
  ctx: RecallContext,
  memory: MemoryReader,
  question: TurnQuestion,
): Promise<FoundTurns | null> {
  const { search, query, scoring } = question;
  const found = await candidatesFrom(ctx, memory, question);
  if (!found) return null;
  const { turns, statistics, timeZone } = found;
  const segmentOf = segmentFinder(found.segments ?? (await segmentsAround(memory, search, turns)));
  const all = scoreTurns(found, segmentOf, scoring);
  const scale = scaleOf(all, query, statistics, scoring.weights);
  const scored = await readTexts(memory, all, question);
  const embedded = found.embedded ?? (await isEmbedded(memory, search));
  return { scored, segmentOf, scale, timeZone, embedded };
}

/** The closed segments of the threads that the turns are in. */
const segmentsAround = (
  memory: MemoryReader,
  { vector, embedder }: TurnSearch,
  turns: readonly TurnCandidate[],
): Promise<SegmentSummary[]> => {
  const threadIds = [...new Set(turns.map(({ threadId }) => threadId))];
  return memory.segmentSummaries.ofThreads({ vector, embedder, threadIds });
};

const isEmbedded = async (memory: MemoryReader, { embedder }: TurnSearch): Promise<boolean> =>
  (await memory.turnVectors.progress(embedder)).pending === 0;

const isUnread = ({ candidate }: ScoredTurn): boolean => candidate.marks === null;

/**
 * The turns that may be among the first, with what the ranking reads in their texts where the source has not. Those read
 * may say nothing: then all others are read too, so that none of the first is missing.
 */
async function readTexts(
  memory: MemoryReader,
  scored: readonly ScoredTurn[],
  { query, scoring, first, floor }: TurnQuestion,
): Promise<ScoredTurn[]> {
  const bounds = { first, floor };
  const due = mayLead(scored, query, bounds, scoring).filter(isUnread);
  if (due.length === 0) return [...scored];
  const once = await withTexts(memory, scored, due);
  const others = mayLead(once, query, bounds, scoring).filter(isUnread);
  const read = others.length === 0 ? once : await withTexts(memory, once, once.filter(isUnread));
  return read.filter((own) => !isUnread(own));
}

/** The same with the texts of some; without those of them that were forgotten meanwhile. */
async function withTexts(
  memory: MemoryReader,
  scored: readonly ScoredTurn[],
  due: readonly ScoredTurn[],
): Promise<ScoredTurn[]> {
  const ids = due.map(({ candidate }) => candidate.id);
  const texts = await memory.scanTurns.turnTexts(ids, { long: WHOLE_BYTES });
  const textOf = new Map(texts.map((text) => [text.id, text]));
  const asked = new Set(ids);
  return scored.flatMap((own) => {
    if (!asked.has(own.candidate.id)) return [own];
    const read = textOf.get(own.candidate.id);
    if (!read) return [];
    const { isCut, ...whole } = read;
    const { speaker, occurredAt, role, text } = read;
    const marks = { speaker, occurredAt, ...marksOf(text, role) };
    return [{ ...own, candidate: { ...own.candidate, marks, said: isCut ? null : whole } }];
  });
}
