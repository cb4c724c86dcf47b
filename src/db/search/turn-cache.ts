import { LRUCache } from 'lru-cache';
import type { TurnCandidates } from '../../domain/ranking/candidate.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database, Statement, Tx } from '../core/database.ts';
import { apply, bytesOf, candidatesIn, emptyIndex, type InMemoryIndex } from './in-memory-index.ts';
import type { TurnSearch } from './search.ts';
import { type Changes, turnChanges, turnChangesFound } from './turn-changes.ts';

export type TurnCacheLimits = {
  /** Of all memories together; 0 = none is held. */
  bytes: number;
  /** A memory of so many turns is not held. */
  turns: number;
};

export type TurnCache = {
  /**
   * The candidates among the turns of a memory that is held, with what was added to it since; null where it is not held, or
   * not as it is now.
   * @param small up to so many turns the summaries of closed segments come too
   */
  find(tx: Tx, search: TurnSearch, small: number): Promise<TurnCandidates | null>;
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

/** Milliseconds after which a memory that nobody asks is let go; and how long none makes room for another. */
const IDLE = 300_000;
const BUSY = 60_000;
/** Turns that are read at once; and that a recall may find new. */
const SLICE = 250;
const NEW = 50;
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
  const held = new LRUCache<string, InMemoryIndex>({
    maxSize: Math.max(limits.bytes, 1),
    sizeCalculation: bytesOf,
    ttl: IDLE,
    updateAgeOnGet: true,
  });
  const asked = new LRUCache<string, 'ONCE' | 'NOT_TO_HOLD'>({ max: 10_000, ttl: IDLE });
  const due = new Set<string>();
  const sweeper = setInterval(() => held.purgeStale(), BUSY).unref();
  let looker: NodeJS.Timeout | undefined;
  let reading: { userId: string; dropped: boolean; over: Promise<void> } | null = null;
  let closed = false;

  /** Whether it is held as it was, and not another reading of it. */
  const isHeld = (userId: string, memory: InMemoryIndex) => held.peek(userId) === memory;
  const letGo = (userId: string, memory: InMemoryIndex) => {
    if (isHeld(userId, memory)) held.delete(userId);
  };
  /** Counts what was added: a memory that is there is not measured again. */
  const measure = (userId: string, memory: InMemoryIndex) => {
    if (!isHeld(userId, memory)) return;
    held.delete(userId);
    held.set(userId, memory);
  };

  /** Whether a further memory pushes out none that was asked a moment ago. */
  const hasRoom = () => {
    const [oldest] = held.rkeys();
    if (oldest === undefined || held.calculatedSize < limits.bytes / 2) return true;
    return IDLE - held.getRemainingTTL(oldest) > BUSY;
  };

  const changed = (userId: string | null) => {
    for (const own of userId === null ? held.keys() : [userId]) if (held.has(own)) due.add(own);
    if (due.size > 0 && !closed) looker ??= setTimeout(look, LOOK_AFTER).unref();
  };

  const isTooLarge = (memory: InMemoryIndex, { statistics }: Changes): boolean =>
    statistics.turns >= limits.turns || bytesOf(memory) > limits.bytes;

  /** Nothing to begin with is a user that is not there. */
  const readAll = async (
    userId: string,
    memory: InMemoryIndex,
  ): Promise<'WHOLE' | 'CHANGED' | 'NOT_TO_HOLD'> => {
    for (let isAll = false; !isAll && !closed; ) {
      const { embedder, reached } = memory;
      const next = (tx: Tx) => turnChanges(tx, embedder, reached, SLICE);
      const changes: Changes | null = await db.asUser(userId, next, { generic: true });
      if (!changes) return reached.epoch === null ? 'NOT_TO_HOLD' : 'CHANGED';
      apply(memory, changes);
      if (isTooLarge(memory, changes)) return 'NOT_TO_HOLD';
      isAll = changes.isAll;
    }
    return closed ? 'CHANGED' : 'WHOLE';
  };

  const read = async (userId: string, embedder: string): Promise<void> => {
    const behind = held.peek(userId);
    const memory = behind?.embedder === embedder ? behind : emptyIndex(embedder);
    const outcome = await readAll(userId, memory);
    letGo(userId, memory);
    if (outcome === 'NOT_TO_HOLD') asked.set(userId, outcome);
    if (outcome !== 'WHOLE' || reading?.dropped) return;
    held.set(userId, memory);
    asked.delete(userId);
    // Something may have been forgotten since the last slice.
    changed(userId);
  };

  const dropForgotten = async (): Promise<void> => {
    clearTimeout(looker);
    looker = undefined;
    const userIds = [...due];
    due.clear();
    const rows = await db.system<{ userId: string; epoch: number }>(EPOCHS, [userIds]);
    const epochs = new Map(rows.map(({ userId, epoch }) => [userId, epoch]));
    for (const userId of userIds) {
      if (held.peek(userId)?.reached.epoch !== epochs.get(userId)) held.delete(userId);
    }
  };
  const look = () => {
    dropForgotten().catch((error: unknown) => {
      // Who cannot look holds nothing.
      held.clear();
      logger.warn({ err: error }, 'recall.cache_failed');
    });
  };

  return {
    async find(tx, search, small) {
      const { userId, embedder } = search;
      const memory = held.get(userId);
      if (!memory) return null;
      const isUsable = memory.embedder === embedder && memory.columns.rows < limits.turns;
      const changes = { changes: NEW, small };
      const found = isUsable
        ? await turnChangesFound(tx, search, memory.reached, changes).catch((error: unknown) => {
            letGo(userId, memory);
            throw error;
          })
        : null;
      if (!found) {
        letGo(userId, memory);
        return null;
      }
      const size = bytesOf(memory);
      apply(memory, found.changes);
      if (bytesOf(memory) !== size) measure(userId, memory);
      // More came than a recall reads: the rest is read beside.
      return found.changes.isAll ? candidatesIn(memory, found, search) : null;
    },
    missed(userId, embedder) {
      if (limits.bytes === 0 || reading || closed) return;
      const before = asked.get(userId);
      if (before === undefined) asked.set(userId, 'ONCE');
      if (!held.has(userId) && (before !== 'ONCE' || !hasRoom())) return;
      const over = read(userId, embedder)
        .catch((error: unknown) => logger.warn({ userId, err: error }, 'recall.cache_failed'))
        .finally(() => {
          reading = null;
        });
      reading = { userId, dropped: false, over };
    },
    drop: (userId) => {
      held.delete(userId);
      if (reading?.userId === userId) reading.dropped = true;
    },
    changed,
    dropForgotten,
    holds: (userId) => held.has(userId),
    size: () => (held.size === 0 ? 0 : held.calculatedSize),
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(sweeper);
      clearTimeout(looker);
      await reading?.over;
      held.clear();
    },
  };
}
