import type { ArchiveRow } from '../../domain/archive/archive.ts';
import type { ChangeKind } from '../../domain/core/change.ts';
import type { DerivedKind, MemoryKind } from '../../domain/core/memory-kind.ts';
import type { Step } from '../../pipeline.ts';
import type { Statement } from '../core/database.ts';
import type { Erase } from './erase.ts';

/**
 * What a kind of memory adds to what is done with all kinds: each part is a file in the kind's folder. Parts that are SQL
 * are pieces, in which $1 is the user; a statement is put together from those of all kinds once, when it is loaded.
 */
export type Kind = {
  name: MemoryKind;
  /** Null for turns, which are found by sources of their own (db/search/): in windows, by an inverted index and HNSW. */
  rows: Rows | null;
  search: KindSearch | null;
  embed: Embed;
  erase: Erase;
  archive: Archive;
  backlog: BacklogQueries;
};

/** A kind whose memories each have a text, by whose words and vector they are found. */
export type DescribedKind = Kind & { name: DerivedKind; rows: Rows; search: KindSearch };

/** Where the memories of a kind are. */
export type Rows = {
  /** The table, and what a row of it is called, such as `facts f`. */
  table: string;
  row: string;
  /** By what a memory is distinguished from others of its kind; what its vector is stored under, by column. */
  id: string;
  number?: string;
  key: Record<string, string>;
  /** Its text, and which rows have one. */
  text: string;
  hasText: string;
};

/** What a recall reads of a kind, see search-memories.ts. */
export type KindSearch = {
  join?: string;
  /** Which of them a recall looks at. */
  where: string;
  /** When it was said or seen last. */
  at: string;
  reviewedAt?: string;
  stability?: string;
  surprise?: string;
  importance?: string;
  pinned?: string;
};

/** Which step embeds a kind, and where its vectors are stored. Turns are embedded in their order instead (turn-vectors.ts). */
export type Embed = {
  step: Step;
  table: string;
  /** Columns that are filled as a vector is stored. */
  beside?: Record<string, string>;
};

/** What of a kind is in an archive, and what becomes of it when one is imported. */
export type Archive = {
  rows: readonly ArchiveRow[];
  /** Columns of the user that count its memories, and their values when all rows are stored. */
  numbers?: Record<string, string>;
  /** Run when all rows are stored. */
  finish?: readonly Statement[];
  /** What no memory has, and a step may not come to an end with: a query of the first such number, or null, and the reason for refusing it. */
  misfits?: readonly { first: string; reason: (id: number) => string }[];
  /** Changes that are reported, so that work which was under way goes on: queries of their subjects. */
  resume?: Partial<Record<ChangeKind, string>>;
};

/** The highest number that was given: what an archive says, or that of a row. */
export const lastOf = (column: string, table: string, number = 'id'): string =>
  `greatest(${column}, (SELECT max(${number}) FROM ${table} WHERE user_id = $1))`;

/**
 * What of a kind is still to be made: expressions, by what they count. $2 is the index of vectors or null, $3 is now. Empty for
 * a kind that the counts of another cover.
 */
export type BacklogQueries = Record<string, string>;

/** Whether a row `v` of the kind's vectors is that of a memory. */
export const isVectorOf = ({ key }: Rows): string =>
  Object.entries(key)
    .map(([column, value]) => `v.${column} = ${value}`)
    .join(' AND ');
