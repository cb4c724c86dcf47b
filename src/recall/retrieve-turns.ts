import type { RecallContext } from '../context.ts';
import type { FoundTurn, TurnSearch } from '../db/search/search.ts';
import { segmentFinder, type ToldSegment } from '../domain/episodes/told-segment.ts';
import type { Scale } from '../domain/ranking/memory-ranking.ts';
import { placeTurns, scaleOf } from '../domain/ranking/place-turns.ts';
import { isHnswQuicker } from '../domain/ranking/planner.ts';
import { mayLead, type Placed, type RankingQuery } from '../domain/ranking/ranking.ts';
import { marksOf, type RankingMarks } from '../domain/ranking/ranking-marks.ts';
import { type SelectedTurn, type Selection, selectTurns } from '../domain/ranking/select-turns.ts';
import { WHOLE_BYTES } from '../domain/turns/turn.ts';
import type { MemoryReader } from '../memory.ts';

export type FoundTurns = {
  /** Those that may be among the first; unordered. */
  placed: Placed<FoundTurn>[];
  /** The closed segment that a turn lies in. */
  segmentOf: ReturnType<typeof segmentFinder>;
  /** Of all that were found; null when nothing was. */
  scale: Scale | null;
  timeZone: string | null;
  /** Whether the embedder has come to all turns. */
  embedded: boolean;
};

/** Up to so many turns, reading all of them is quicker than joining the best; measured, see docs/ranking.md. */
const SMALL = 2_000;

/** What is looked for, and for how many of the first, whose forgetting has a floor, none may be missing. */
export type TurnQuestion = {
  search: TurnSearch;
  query: RankingQuery;
  first: number;
  floor: number;
};

/** The turns that may answer: by words and by meaning, all that can come among the first so many. */
export async function retrieveTurns(
  ctx: RecallContext,
  memory: MemoryReader,
  question: TurnQuestion,
): Promise<FoundTurns> {
  const { search, query } = question;
  const { userId, embedder, filter } = search;
  const held = filter ? null : await ctx.turnCache.find(memory.tx, search, SMALL);
  if (held) return selectAmong(memory, held, question);
  const scan = await memory.scanTurns.scanTurns(search, SMALL);
  if (!filter) ctx.turnCache.missed(userId, embedder);
  if (scan.small) return selectAmong(memory, scan, question);
  const isLarge = scan.turns >= ctx.config.recall.hnswFrom;
  const nearest = isLarge ? await nearestByIndex(memory, search, scan.turns) : null;
  return searchMany(memory, nearest ? { ...search, nearest } : search, query);
}

/** Of all turns of a memory those that may answer; only their texts are read. */
async function selectAmong(
  memory: MemoryReader,
  { query: among, marks, told, timeZone, embedded }: Selection,
  { search, query, first, floor }: TurnQuestion,
): Promise<FoundTurns> {
  const { weights } = search;
  const { turns, statistics } = selectTurns(among, weights);
  const segmentOf = addTold(told ?? (await toldOf(memory, search, turns)), turns);
  const placed = placeTurns(turns, statistics, weights);
  const found = {
    segmentOf,
    scale: scaleOf(placed, query, statistics, weights),
    timeZone,
    embedded,
  };
  if (marks) {
    const known = placed.map((own) => {
      const { row } = own.candidate;
      return { ...own, candidate: joined(own.candidate, marks[row] as RankingMarks, null) };
    });
    return { ...found, placed: known };
  }
  const leading = mayLead(placed, query, { first, floor }, weights);
  const ids = leading.map(({ candidate }) => candidate.id);
  const texts = await memory.scanTurns.turnTexts(ids, { long: WHOLE_BYTES });
  const textOf = new Map(texts.map((text) => [text.id, text]));
  const read = leading.flatMap((own) => {
    const said = textOf.get(own.candidate.id);
    if (!said) return [];
    const { isCut, ...whole } = said;
    const { speaker, occurredAt, role, text } = said;
    const marks = { speaker, occurredAt, ...marksOf(text, role) };
    const candidate = joined(own.candidate, marks, isCut ? null : whole);
    return [{ ...own, candidate }];
  });
  return { ...found, placed: read };
}

/** Written out: there are hundreds, and spreading them takes ten times as long. */
const joined = (place: SelectedTurn, marks: RankingMarks, said: FoundTurn['said']): FoundTurn => ({
  id: place.id,
  threadId: place.threadId,
  number: place.number,
  speaker: marks.speaker,
  occurredAt: marks.occurredAt,
  asks: marks.asks,
  tellsTime: marks.tellsTime,
  isReply: marks.isReply,
  saysNothing: marks.saysNothing,
  said,
  wordCount: place.wordCount,
  frequencies: place.frequencies,
  threadTerms: place.threadTerms,
  neighbours: place.neighbours,
  toldSimilarity: place.toldSimilarity ?? null,
});

type Told = { threadId: number; number: number; toldSimilarity?: number | null };

/** Notes how near the summaries of the turns' segments are; returns what finds these segments. */
function addTold(told: readonly ToldSegment[], turns: readonly Told[]): FoundTurns['segmentOf'] {
  const segmentOf = segmentFinder(told);
  for (const turn of turns) turn.toldSimilarity = segmentOf(turn)?.similarity ?? null;
  return segmentOf;
}

/** The closed segments of the threads that the turns are in. */
const toldOf = (memory: MemoryReader, { vector, embedder }: TurnSearch, turns: readonly Told[]) => {
  const threadIds = [...new Set(turns.map(({ threadId }) => threadId))];
  return memory.toldSegments.toldSegments({ vector, embedder, threadIds });
};

/** The nearest turns of a memory for which HNSW is quicker than looking at all; null where they are looked at. */
async function nearestByIndex(
  memory: MemoryReader,
  { vector, embedder, filter, weights }: TurnSearch,
  turns: number,
): Promise<number[] | null> {
  // The index gives up before it finds many that pass a narrow filter.
  if (!vector || filter) return null;
  const { through, indexed } = await memory.hnsw.state(embedder, vector.length);
  if (through === 0 || !isHnswQuicker(turns, indexed)) return null;
  const by = { through, most: weights.candidates };
  return memory.hnsw.nearest(embedder, vector, by);
}

/** Of a large memory the statement joins what it finds. */
async function searchMany(
  memory: MemoryReader,
  search: TurnSearch,
  query: RankingQuery,
): Promise<FoundTurns> {
  const { turns, statistics, timeZone, embedded } = await memory.search.searchTurns(search);
  const segmentOf = addTold(await toldOf(memory, search, turns), turns);
  const placed = placeTurns(turns, statistics, search.weights);
  const scale = scaleOf(placed, query, statistics, search.weights);
  const found = { placed, segmentOf, scale, timeZone };
  if (embedded !== null) return { ...found, embedded };
  const { pending } = await memory.vectorIndex.progress(search.embedder);
  return { ...found, embedded: pending === 0 };
}
