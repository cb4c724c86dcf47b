import type { DerivedKind } from '../../domain/core/memory-kind.ts';

/**
 * What a kind of memory beside turns adds to the statements over all kinds: pieces of SQL, in which $1 is the user. A
 * statement is put together from the pieces of every kind once, when it is loaded.
 */
export type Kind = {
  name: DerivedKind;
  /** Its table, and what a row of it is called, such as `facts f`. */
  table: string;
  row: string;
  /** By what a memory is told from others of its kind; what its vector is stored under, by column. */
  id: string;
  number?: string;
  key: Record<string, string>;
  /** Its text, and which rows have one. */
  text: string;
  hasText: string;
  vectors: {
    table: string;
    /** Columns that are filled as a vector is stored. */
    beside?: Record<string, string>;
  };
  search: {
    join?: string;
    /** Which of them a recall looks at; for the parameters see search-memories.ts. */
    where: string;
    /** When it was said or seen last. */
    at: string;
    reviewedAt?: string;
    stability?: string;
    surprise?: string;
    importance?: string;
    pinned?: string;
  };
};

/** Whether a row `v` of the kind's vectors is that of a memory. */
export const isVectorOf = ({ key }: Kind): string =>
  Object.entries(key)
    .map(([column, value]) => `v.${column} = ${value}`)
    .join(' AND ');
