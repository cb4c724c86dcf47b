import { asCompared } from '../../domain/core/vector.ts';
import type { SegmentSummary } from '../../domain/episodes/segment-summary.ts';
import type { TurnCandidates } from '../../domain/ranking/candidate.ts';
import type { RankingCues } from '../../domain/ranking/ranking-cues.ts';
import { selectTurns } from '../../domain/ranking/select-turns.ts';
import { addTurns, noTurns, type TurnColumns } from '../../domain/ranking/turn-columns.ts';
import {
  addVectors,
  dot,
  nearnessOf,
  noVectors,
  type TurnVectors,
} from '../../domain/ranking/turn-vectors.ts';
import type { withVectors } from '../threads/segment-summaries.ts';
import type { TurnFilter, TurnSearch } from './search.ts';
import type { Changes, Found, Reached } from './turn-changes.ts';

/** The turns of a memory without their texts: their places, lengths, channels, speakers, times and vectors. */
export type InMemoryIndex = {
  embedder: string;
  reached: Reached;
  columns: TurnColumns;
  /** The highest turn id. */
  lastId: number;
  /** By row. */
  cues: RankingCues[];
  /** By row. */
  channels: string[];
  /** Each name of a channel or speaker once, so that all rows share one string. */
  names: Map<string, string>;
  vectors: TurnVectors;
  /** The closed segments of a small memory; null if they were not read yet. */
  segments: Segments | null;
};

type Segments = Awaited<ReturnType<typeof withVectors>>;

export const emptyIndex = (embedder: string): InMemoryIndex => ({
  embedder,
  reached: { epoch: null, late: null, turn: 0, vector: 0 },
  columns: noTurns(),
  lastId: 0,
  cues: [],
  channels: [],
  names: new Map(),
  vectors: noVectors(),
  segments: null,
});

/** Adds new turns and vectors. Some of them may have been added meanwhile. */
export function apply(
  index: InMemoryIndex,
  { reached, added, cues, channels, vectorIds, vectors }: Changes,
): void {
  const { columns, names } = index;
  const shared = (name: string): string => {
    const known = names.get(name);
    if (known === undefined) names.set(name, name);
    return known ?? name;
  };
  addTurns(columns, added);
  index.lastId = Math.max(index.lastId, added.ids.at(-1) ?? 0);
  for (const [at, id] of added.ids.entries()) {
    const row = columns.rowOf.get(id);
    const read = cues[at];
    if (row === undefined || !read) continue;
    const speaker = read.speaker === null ? null : shared(read.speaker);
    index.cues[row] = { ...read, speaker };
    index.channels[row] = shared(channels[at] ?? '');
  }
  addVectors(index.vectors, columns, vectorIds, vectors);
  const { turn, vector } = index.reached;
  index.reached = {
    ...reached,
    turn: Math.max(turn, reached.turn),
    vector: Math.max(vector, reached.vector),
  };
}

/** The bytes of a row without its vector: six numbers, an entry in a map, its channel, its cues. */
const BYTES_PER_ROW = 310;

/** An estimate of the memory that an index takes. */
export const bytesOf = ({ columns, vectors, segments }: InMemoryIndex): number =>
  columns.ids.length * BYTES_PER_ROW +
  vectors.values.byteLength +
  vectors.signs.byteLength +
  (segments?.vectors.reduce((sum, vector) => sum + (vector?.byteLength ?? 0), 0) ?? 0) +
  1_000;

/** By row: whether a turn passes a filter. The statements of the other sources filter by the same rules. */
function allowedBy(
  { from, to, channels, threadIds, speakers }: TurnFilter,
  index: InMemoryIndex,
): Uint8Array {
  const { rows, threadIds: threadOf } = index.columns;
  const first = from?.getTime() ?? Number.NEGATIVE_INFINITY;
  const end = to?.getTime() ?? Number.POSITIVE_INFINITY;
  const inThreads = threadIds && new Set(threadIds);
  const onChannels = channels && new Set(channels);
  const bySpeakers = speakers && new Set<string | null>(speakers);
  const allowed = new Uint8Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const { occurredAt, speaker } = index.cues[row] as RankingCues;
    const time = occurredAt.getTime();
    const isAllowed =
      time >= first &&
      time < end &&
      (!inThreads || inThreads.has(threadOf[row] as number)) &&
      (!onChannels || onChannels.has(index.channels[row] as string)) &&
      (!bySpeakers || bySpeakers.has(speaker));
    allowed[row] = isAllowed ? 1 : 0;
  }
  return allowed;
}

/** An index, and what was read for a search in it. */
type Held = Omit<Found, 'segments'> & {
  index: InMemoryIndex;
  /** The highest turn id then. */
  lastId: number;
  /** Null if they must still be read for the relevant threads. */
  segments: Segments | null;
};

/** The candidates for a query among the turns in an index, which may have grown since. */
export function candidatesIn(
  { index, lastId, changes, postings, segments }: Held,
  { vector, weights, filter }: TurnSearch,
): TurnCandidates {
  const { columns, vectors, cues } = index;
  const allowed = filter ? allowedBy(filter, index) : null;
  const asked = vector && asCompared(vector);
  const near = nearnessOf(vectors, columns, asked);
  const query = { columns, allowed, near, cues, postings, ...changes.statistics };
  const { timeZone, through } = changes;
  return {
    ...selectTurns(query, weights),
    segments: segments && comparedWith(asked, segments),
    timeZone,
    embedded: lastId <= through,
  };
}

const comparedWith = (
  query: Float32Array | null,
  { segments, vectors }: Segments,
): SegmentSummary[] =>
  segments.map((segment, at) => {
    const vector = vectors[at];
    const isCompared = vector && query && vector.length === query.length;
    return { ...segment, similarity: isCompared ? dot(vector, 0, query) : null };
  });
