import { keysOf } from '../../shared/keys-of.ts';
import type { Tx } from '../core/database.ts';
import type { Kind } from './kind.ts';

/** How many rows are gone. */
export type Forgotten = {
  threads: number;
  turns: number;
  postings: number;
  vectors: number;
  episodes: number;
  skills: number;
  reviews: number;
  facts: number;
  semanticMemories: number;
  profiles: number;
  links: number;
  /** Events of forgotten threads. Besides trimmed events, the only gaps in the log's numbers. */
  events: number;
};

/** What is being forgotten. */
export type Forgetting = {
  turnIds: readonly number[];
  /** Whether nothing may stay of this user. */
  isAll: boolean;
  now: Date;
  /** Memories whose sources were erased, by kind; reported for the kinds erased after it. */
  lost: Partial<Record<Kind['name'], readonly number[]>>;
};

/** Erases what a kind derived from the turns, before the turns themselves. @returns the counts */
export type Eraser = (tx: Tx, forgetting: Forgetting) => Promise<Partial<Forgotten>>;

/** How a preview of a forget names memories: their row, such as `facts f`, and expressions. Those without a text are gone. */
export type Named = { row: string; id: string; at: string; text: string };

/** What forgetting takes of a kind. Kinds are erased in turn, those that refer to others first. */
export type Erase = {
  /** Makes the kind's part of forgetting turns; left out where its memories go with others. @param withTexts of all kinds */
  turns?: (withTexts: readonly Erased[]) => Eraser;
  /** Tables whose rows are erased with the texts of an episode, by `episode_id`. Those that refer to others first. */
  withTexts?: readonly Erased[];
  /** Its rows that go with all that is known of a user, where they need not go with turns. Those that refer to others first. */
  withUser?: readonly Erased[];
  /** Which turns `t` go when the memory of the number $3 is to be forgotten: it can be, with its turns. */
  turnsOf?: string;
  /** Left out where a memory is named by another, as a skill by its episode. */
  named?: Named;
  /** Erases one memory and leaves its turns: that can be asked for. */
  alone?: (tx: Tx, id: number, now: Date) => Promise<Partial<Forgotten> | null>;
};

/** A table whose rows are erased, and as what they are counted. */
export type Erased = { table: string; counted?: keyof Forgotten };

/** Expressions that erase rows of several tables, and an object of how many are gone. */
export function erasing(
  erased: readonly Erased[],
  condition: string,
): { ctes: string; counts: string } {
  const ctes = erased.map(
    ({ table }) => `gone_${table} AS (DELETE FROM ${table} WHERE ${condition} RETURNING 1)`,
  );
  const names = [...new Set(erased.flatMap(({ counted }) => counted ?? []))];
  const counts = names.map((name) => {
    const tables = erased.filter(({ counted }) => counted === name);
    const sizes = tables.map(({ table }) => `(SELECT count(*)::int FROM gone_${table})`);
    return `'${name}', ${sizes.join(' + ')}`;
  });
  return { ctes: ctes.join(',\n'), counts: `json_build_object(${counts.join(', ')})` };
}

/** @returns how many rows are gone of all parts */
export function forgottenInAll(parts: readonly Partial<Forgotten>[]): Forgotten {
  const sum: Forgotten = {
    threads: 0,
    turns: 0,
    postings: 0,
    vectors: 0,
    episodes: 0,
    skills: 0,
    reviews: 0,
    facts: 0,
    semanticMemories: 0,
    profiles: 0,
    links: 0,
    events: 0,
  };
  for (const part of parts) {
    for (const name of keysOf(sum)) sum[name] += part[name] ?? 0;
  }
  return sum;
}
