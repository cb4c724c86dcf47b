import { LRUCache } from 'lru-cache';
import type { RankingMarks } from '../domain/ranking.ts';
import type { TurnQuery } from '../domain/select-turns.ts';
import type { ToldSegment } from '../domain/told-segment.ts';
import { addTurns, noTurns, type TurnColumns } from '../domain/turn-columns.ts';
import { addVectors, nearnessOf, noVectors, type TurnVectors } from '../domain/turn-vectors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Database, Statement, Tx } from './database.ts';
import type { TurnSearch } from './search.ts';
import { type Changes, type Known, turnChanges, turnChangesFound } from './turn-changes.ts';

/** A memory's turns without their words: where each stands, how long it is, who said it and when, its vector. */
type Memory = {
  embedder: string;
  known: Known;
  columns: TurnColumns;
  /** By row. */
  marks: RankingMarks[];
  vectors: TurnVectors;
};

/** What a recall selects turns from. */
type Selection = {
  query: TurnQuery;
  /** Null where they are to be read for the threads that matter. */
  told: ToldSegment[] | null;
  timeZone: string | null;
  /** Whether the embedder has come to all turns. */
  embedded: boolean;
};

export type TurnCacheLimits = {
  /** Of all memories together; 0 = none is held. */
  bytes: number;
  /** A memory of so many turns is not held. */
  turns: number;
};

export type TurnCache = {
  /**
   * A query against a memory that is held, with what was added to it since; null where it is not held, or not as it is now.
   * @param small up to so many turns the closed segments come too
   */
  find(tx: Tx, search: TurnSearch, small: number): Promise<Selection | null>;
  /** Notes that a memory was asked that is not held: one that is asked twice is read, beside. */
  missed(userId: string, embedder: string): void;
  /** Lets go of a memory. */
  drop(userId: string): void;
  /** Notes that something was committed for a user, or for anybody (null): another process may have made them forget. */
  changed(userId: string | null): void;
  /** Lets go of those that changed and forgot something; goes on by itself, every few seconds. */
  dropForgotten(): Promise<void>;
  holds(userId: string): boolean;
  /** What is held, in bytes. */
  size(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Milliseconds after which a memory that nobody asks is let go. */
const IDLE = 300_000;
/** Turns that are read at once; and that a recall may find new. */
const SLICE = 250;
const NEW = 200;
/** Milliseconds in which what another process forgot is let go. */
const LOOK_AFTER = 5_000;

const EPOCHS: Statement = {
  name: 'turn-cache-epochs',
  text: 'SELECT user_id AS "userId", erase_epoch AS epoch FROM users WHERE user_id = ANY ($1)',
};

/**
 * Holds the turns of those memories that are being recalled from, so that a recall reads only what was added since the last
 * one. What is held is never believed unasked: the statement that finds a query's words tells from the same snapshot
 * whether it is still so.
 */
export function createTurnCache(db: Database, limits: TurnCacheLimits, logger: Logger): TurnCache {
  const held = new LRUCache<string, Memory>({
    maxSize: Math.max(limits.bytes, 1),
    sizeCalculation: bytesOf,
    ttl: IDLE,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  });
  const asked = new LRUCache<string, 'ONCE' | 'TOO_LARGE'>({ max: 10_000, ttl: IDLE });
  const due = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> | null = null;
  let closed = false;

  const read = async (userId: string, embedder: string): Promise<void> => {
    const memory: Memory = {
      embedder,
      known: { epoch: null, late: null, turn: 0, vector: 0 },
      columns: noTurns(),
      marks: [],
      vectors: noVectors(),
    };
    for (let isAll = false; !isAll; ) {
      const { known } = memory;
      const changes: Changes | null = await db.asUser(
        userId,
        (tx) => turnChanges(tx, userId, embedder, known, SLICE),
        { generic: true },
      );
      // Numbers changed meanwhile: the next recall asks again.
      if (closed || !changes) return;
      apply(memory, changes);
      isAll = changes.isAll;
      if (changes.statistics.turns >= limits.turns || bytesOf(memory) > limits.bytes) {
        asked.set(userId, 'TOO_LARGE');
        return;
      }
    }
    held.set(userId, memory);
  };

  const dropForgotten = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const userIds = [...due];
    due.clear();
    const rows = await db.system<{ userId: string; epoch: number }>(EPOCHS, [userIds]);
    const epochs = new Map(rows.map(({ userId, epoch }) => [userId, epoch]));
    for (const userId of userIds) {
      if (held.peek(userId)?.known.epoch !== epochs.get(userId)) held.delete(userId);
    }
  };
  const look = () => {
    dropForgotten().catch((error: unknown) => {
      // Whoever cannot look holds nothing.
      held.clear();
      logger.warn({ err: error }, 'recall.cache_failed');
    });
  };

  return {
    async find(tx, search, small) {
      const { userId, embedder, vector } = search;
      const memory = held.get(userId);
      if (!memory) return null;
      const { turns } = limits;
      const isUsable = memory.embedder === embedder && memory.columns.rows < turns;
      const found = isUsable
        ? await turnChangesFound(tx, search, memory.known, { changes: NEW, small })
        : null;
      if (!found?.changes.isAll) {
        held.delete(userId);
        return null;
      }
      const { changes, postings, told } = found;
      const { known } = memory;
      apply(memory, changes);
      const { turn, vector: embeddedTurn } = memory.known;
      const isMore = turn !== known.turn || embeddedTurn !== known.vector;
      if (isMore && held.has(userId)) held.set(userId, memory);
      const { columns, vectors, marks } = memory;
      const query: TurnQuery = {
        columns,
        allowed: null,
        near: nearnessOf(vectors, columns.rows, vector),
        marks,
        postings,
        ...changes.statistics,
      };
      const last = columns.ids[columns.rows - 1] ?? 0;
      return { query, told, timeZone: changes.timeZone, embedded: last <= changes.through };
    },
    missed(userId, embedder) {
      if (limits.bytes === 0 || reading || closed) return;
      const before = asked.get(userId);
      if (before === undefined) asked.set(userId, 'ONCE');
      if (before !== 'ONCE') return;
      reading = read(userId, embedder)
        .catch((error: unknown) => logger.warn({ userId, err: error }, 'recall.cache_failed'))
        .finally(() => {
          reading = null;
        });
    },
    drop: (userId) => {
      held.delete(userId);
    },
    changed(userId) {
      for (const own of userId === null ? held.keys() : [userId]) if (held.has(own)) due.add(own);
      if (due.size > 0 && !closed) timer ??= setTimeout(look, LOOK_AFTER).unref();
    },
    dropForgotten,
    holds: (userId) => held.has(userId),
    size: () => (held.size === 0 ? 0 : held.calculatedSize),
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      await reading;
      held.clear();
    },
  };
}

function apply(memory: Memory, { known, added, marks, vectorIds, vectors }: Changes): void {
  const { columns } = memory;
  addTurns(columns, added);
  for (const [index, id] of added.ids.entries()) {
    const row = columns.rowOf.get(id);
    const own = marks[index];
    if (row !== undefined && own) memory.marks[row] = own;
  }
  addVectors(memory.vectors, columns, vectorIds, vectors);
  // Another recall may have come further meanwhile.
  const { turn, vector } = memory.known;
  memory.known = {
    ...known,
    turn: Math.max(turn, known.turn),
    vector: Math.max(vector, known.vector),
  };
}

/** What a row takes beside its vector: six numbers, its place in a map, its marks. */
const ROW = 200;

const bytesOf = ({ columns, vectors }: Memory): number =>
  columns.ids.length * ROW + vectors.values.byteLength + vectors.signs.byteLength + 1_000;
