import type { RankingMarks } from '../../domain/ranking/ranking-marks.ts';
import type { Selection } from '../../domain/ranking/select-turns.ts';
import { addTurns, noTurns, type TurnColumns } from '../../domain/ranking/turn-columns.ts';
import {
  addVectors,
  nearnessOf,
  noVectors,
  type TurnVectors,
} from '../../domain/ranking/turn-vectors.ts';
import type { Changes, Found, Reached } from './turn-changes.ts';

/** A memory's turns without their words: where each stands, how long it is, who said it and when, its vector. */
export type HeldTurns = {
  embedder: string;
  reached: Reached;
  columns: TurnColumns;
  /** The highest id. */
  lastId: number;
  /** By row. */
  marks: RankingMarks[];
  /** Each once. */
  speakers: Map<string | null, string | null>;
  vectors: TurnVectors;
};

export const nothingOf = (embedder: string): HeldTurns => ({
  embedder,
  reached: { epoch: null, late: null, turn: 0, vector: 0 },
  columns: noTurns(),
  lastId: 0,
  marks: [],
  speakers: new Map(),
  vectors: noVectors(),
});

/** Adds what is new. Others may have added some of it meanwhile. */
export function apply(
  memory: HeldTurns,
  { reached, added, marks, vectorIds, vectors }: Changes,
): void {
  const { columns, speakers } = memory;
  addTurns(columns, added);
  memory.lastId = Math.max(memory.lastId, added.ids.at(-1) ?? 0);
  for (const [index, id] of added.ids.entries()) {
    const row = columns.rowOf.get(id);
    const own = marks[index];
    if (row === undefined || !own) continue;
    const speaker = speakers.get(own.speaker) ?? own.speaker;
    speakers.set(speaker, speaker);
    memory.marks[row] = { ...own, speaker };
  }
  addVectors(memory.vectors, columns, vectorIds, vectors);
  const { turn, vector } = memory.reached;
  memory.reached = {
    ...reached,
    turn: Math.max(turn, reached.turn),
    vector: Math.max(vector, reached.vector),
  };
}

/** What a row takes beside its vector: six numbers, its place in a map, its marks. */
const ROW = 300;

export const bytesOf = ({ columns, vectors }: HeldTurns): number =>
  columns.ids.length * ROW + vectors.values.byteLength + vectors.signs.byteLength + 1_000;

/** A query against what is held. */
export function selectionOf(
  { columns, vectors, marks, lastId }: HeldTurns,
  { changes, postings, told }: Found,
  vector: ArrayLike<number> | null,
): Selection {
  const near = nearnessOf(vectors, columns.rows, vector);
  const query = { columns, allowed: null, near, postings, ...changes.statistics };
  const { timeZone, through } = changes;
  return { query, marks, told, timeZone, embedded: lastId <= through };
}
