import type { TurnCandidates } from '../../domain/ranking/candidate.ts';
import type { RankingCues } from '../../domain/ranking/ranking-cues.ts';
import { selectTurns } from '../../domain/ranking/select-turns.ts';
import { addTurns, noTurns, type TurnColumns } from '../../domain/ranking/turn-columns.ts';
import {
  addVectors,
  nearnessOf,
  noVectors,
  type TurnVectors,
} from '../../domain/ranking/turn-vectors.ts';
import type { TurnSearch } from './search.ts';
import type { Changes, Found, Reached } from './turn-changes.ts';

/** The turns of a memory without their texts: their places, lengths, speakers, times and vectors. */
export type InMemoryIndex = {
  embedder: string;
  reached: Reached;
  columns: TurnColumns;
  /** The highest turn id. */
  lastId: number;
  /** By row. */
  cues: RankingCues[];
  /** Each name once, so that all rows share one string. */
  speakers: Map<string | null, string | null>;
  vectors: TurnVectors;
};

export const emptyIndex = (embedder: string): InMemoryIndex => ({
  embedder,
  reached: { epoch: null, late: null, turn: 0, vector: 0 },
  columns: noTurns(),
  lastId: 0,
  cues: [],
  speakers: new Map(),
  vectors: noVectors(),
});

/** Adds new turns and vectors. Some of them may have been added meanwhile. */
export function apply(
  index: InMemoryIndex,
  { reached, added, cues, vectorIds, vectors }: Changes,
): void {
  const { columns, speakers } = index;
  addTurns(columns, added);
  index.lastId = Math.max(index.lastId, added.ids.at(-1) ?? 0);
  for (const [at, id] of added.ids.entries()) {
    const row = columns.rowOf.get(id);
    const read = cues[at];
    if (row === undefined || !read) continue;
    const speaker = speakers.get(read.speaker) ?? read.speaker;
    speakers.set(speaker, speaker);
    index.cues[row] = { ...read, speaker };
  }
  addVectors(index.vectors, columns, vectorIds, vectors);
  const { turn, vector } = index.reached;
  index.reached = {
    ...reached,
    turn: Math.max(turn, reached.turn),
    vector: Math.max(vector, reached.vector),
  };
}

/** The bytes of a row without its vector: six numbers, an entry in a map, its cues. */
const BYTES_PER_ROW = 300;

/** An estimate of the memory that an index takes. */
export const bytesOf = ({ columns, vectors }: InMemoryIndex): number =>
  columns.ids.length * BYTES_PER_ROW + vectors.values.byteLength + vectors.signs.byteLength + 1_000;

/** The candidates for a query among the turns in the index. */
export function candidatesIn(
  { columns, vectors, cues, lastId }: InMemoryIndex,
  { changes, postings, segments }: Found,
  { vector, weights }: TurnSearch,
): TurnCandidates {
  const near = nearnessOf(vectors, columns, vector);
  const query = { columns, allowed: null, near, cues, postings, ...changes.statistics };
  const { timeZone, through } = changes;
  return { ...selectTurns(query, weights), segments, timeZone, embedded: lastId <= through };
}
