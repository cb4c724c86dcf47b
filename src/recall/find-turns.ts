import type { RecallContext } from '../context.ts';
import type { TurnSearch } from '../db/search/search.ts';
import type { HeldTurns } from '../db/search/turn-cache.ts';
import {
  type SegmentOf,
  type SegmentSummary,
  segmentFinder,
} from '../domain/episodes/segment-summary.ts';
import type { TurnCandidate } from '../domain/ranking/candidate.ts';
import type { Scale } from '../domain/ranking/memory-ranking.ts';
import { canStillWin, type RankingQuery, type Scoring } from '../domain/ranking/ranking.ts';
import { readCues } from '../domain/ranking/ranking-cues.ts';
import { scaleOf, scoreTurns } from '../domain/ranking/score-turns.ts';
import type { ScoredTurn } from '../domain/ranking/scored.ts';
import { WHOLE_BYTES } from '../domain/turns/turn.ts';
import type { MemoryReader } from '../memory.ts';
import { candidatesFrom, type TurnSource } from './turn-sources.ts';

/**
 * A search for turns, what was read for it ahead, and its sources. None of the `first` best turns may be missing; `floor` is the
 * lowest factor by which fading can reduce a score.
 */
export type TurnQuestion = {
  search: TurnSearch;
  held: HeldTurns | null;
  sources: readonly TurnSource[];
  query: RankingQuery;
  scoring: Scoring;
  first: number;
  floor: number;
};

/** The turns that were found. */
export type FoundTurns = {
  /** All candidates: the best by words, and the nearest by vector. */
  all: readonly TurnCandidate[];
  /** Scored by words and vectors; at least all that may be among the first have the cues of their texts. Unordered. */
  scored: ScoredTurn[];
  /** Finds the closed segment of a turn. */
  segmentOf: SegmentOf;
  /** The scale of all turns that were found; null if none was. */
  scale: Scale | null;
  timeZone: string | null;
  /** Whether all turns are embedded. */
  embedded: boolean;
};

/** Finds all turns that can be among the first, by words and by vectors. Null if no source suits the memory and the question. */
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
  return { all: turns, scored, segmentOf, scale, timeZone, embedded };
}

/** The closed segments in the threads of these turns. */
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

const isUnread = ({ candidate }: ScoredTurn): boolean => candidate.cues === null;

/**
 * Reads the texts of turns that may be among the first, as far as the source has not read them. If so many of
 * these say nothing that others can still win, all are read, so that none of the first is missing.
 */
async function readTexts(
  memory: MemoryReader,
  scored: readonly ScoredTurn[],
  { query, scoring, first, floor }: TurnQuestion,
): Promise<ScoredTurn[]> {
  const bounds = { first, floor };
  const due = canStillWin(scored, query, bounds, scoring).filter(isUnread);
  if (due.length === 0) return [...scored];
  const firstRead = await withTexts(memory, scored, due);
  const others = canStillWin(firstRead, query, bounds, scoring).filter(isUnread);
  const read =
    others.length === 0
      ? firstRead
      : await withTexts(memory, firstRead, firstRead.filter(isUnread));
  return read.filter((one) => !isUnread(one));
}

/** Adds the texts of the turns in `due`, and leaves out those of them that were forgotten meanwhile. */
async function withTexts(
  memory: MemoryReader,
  scored: readonly ScoredTurn[],
  due: readonly ScoredTurn[],
): Promise<ScoredTurn[]> {
  const ids = due.map(({ candidate }) => candidate.id);
  const texts = await memory.scanTurns.turnTexts(ids, { long: WHOLE_BYTES });
  const textOf = new Map(texts.map((text) => [text.id, text]));
  const isDue = new Set(ids);
  return scored.flatMap((one) => {
    if (!isDue.has(one.candidate.id)) return [one];
    const read = textOf.get(one.candidate.id);
    if (!read) return [];
    const { isCut, cues: bits, ...content } = read;
    const { speaker, occurredAt, role } = read;
    const cues = { speaker, occurredAt, ...readCues(bits, role) };
    return [{ ...one, candidate: { ...one.candidate, cues, content: isCut ? null : content } }];
  });
}
