import { LRUCache } from 'lru-cache';
import type { TurnCandidates } from '../../domain/ranking/candidate.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database, Statement, Tx } from '../core/database.ts';
import { type SegmentVersions, withVectors } from '../threads/segment-summaries.ts';
import { apply, bytesOf, candidatesIn, emptyIndex, type InMemoryIndex } from './in-memory-index.ts';
import type { TurnSearch } from './search.ts';
import { type Changes, isReached, turnChanges, turnChangesFound } from './turn-changes.ts';

export type TurnCacheLimits = {
  /** The most bytes that all cached memories may take; 0 switches the cache off. */
  bytes: number;
  /** Memories with this many turns or more are not cached. */
  turns: number;
};

/** The turns of a cached memory, with what was read for a search. */
export type HeldTurns = {
  embedder: string;
  /** Finds candidates, once the query's vector is known. */
  find(search: TurnSearch): TurnCandidates;
  /** Whether nothing was forgotten since, and no turn was inserted before others. */
  isCurrent(tx: Tx): Promise<boolean>;
};

export type TurnCache = {
  /**
   * Reads what a search needs of a cached memory, after adding what is new: all but the query's vector. Null if the memory is
   * not cached, or the cached index is outdated.
   * @param small for memories of up to this many turns, closed segments are returned too
   */
  read(
    tx: Tx,
    search: Pick<TurnSearch, 'terms' | 'embedder'>,
    small: number,
  ): Promise<HeldTurns | null>;
  /** Records a cache miss. After the second miss the memory is read in the background. */
  missed(userId: string, embedder: string): void;
  /** Removes a memory from the cache. */
  drop(userId: string): void;
  /** Records a commit for a user, or for unknown users (null), who may have forgotten something in another process. */
  changed(userId: string | null): void;
  /** Removes changed memories whose erase epoch was raised. Runs by itself a few seconds after a change. */
  dropForgotten(): Promise<void>;
  holds(userId: string): boolean;
  /** The size of the cache in bytes. */
  size(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Milliseconds after which an unused memory is removed. */
const IDLE = 300_000;
/** A memory used within this many milliseconds is not evicted for another. */
const BUSY = 60_000;
/** Turns read at a time when a memory is loaded. */
const SLICE = 250;
/** The most new turns that a recall reads. */
const NEW = 50;
/** Milliseconds after a change until erase epochs are checked. */
const CHECK_AFTER = 5_000;

const EPOCHS: Statement = {
  name: 'turn-cache-epochs',
  text: 'SELECT user_id AS "userId", erase_epoch AS epoch FROM users WHERE user_id = ANY ($1)',
};

/**
 * Caches the in-memory indexes of memories that are being recalled from, so that a recall reads only what was added since
 * the last one. A cached index is always validated: the statement that finds a query's terms checks in the same snapshot
 * whether the index is still right.
 */
export function createTurnCache(db: Database, limits: TurnCacheLimits, logger: Logger): TurnCache {
  const cached = new LRUCache<string, InMemoryIndex>({
    maxSize: Math.max(limits.bytes, 1),
    sizeCalculation: bytesOf,
    ttl: IDLE,
    updateAgeOnGet: true,
  });
  const misses = new LRUCache<string, 'ONCE' | 'NOT_TO_CACHE'>({ max: 10_000, ttl: IDLE });
  const due = new Set<string>();
  const sweeper = setInterval(() => cached.purgeStale(), BUSY).unref();
  let epochCheck: NodeJS.Timeout | undefined;
  let reading: { userId: string; dropped: boolean; over: Promise<void> } | null = null;
  let closed = false;

  /** Whether this very index is cached, and not a newer one of the same user. */
  const isCached = (userId: string, memory: InMemoryIndex) => cached.peek(userId) === memory;
  const remove = (userId: string, memory: InMemoryIndex) => {
    if (isCached(userId, memory)) cached.delete(userId);
  };
  /** Sets a grown index again, because the cache measures an entry only when it is set. */
  const measure = (userId: string, memory: InMemoryIndex) => {
    if (!isCached(userId, memory)) return;
    cached.delete(userId);
    cached.set(userId, memory);
  };

  /** Whether another memory fits without evicting one that was used a moment ago. */
  const hasRoom = () => {
    const [oldest] = cached.rkeys();
    if (oldest === undefined || cached.calculatedSize < limits.bytes / 2) return true;
    return IDLE - cached.getRemainingTTL(oldest) > BUSY;
  };

  const changed = (userId: string | null) => {
    for (const id of userId === null ? cached.keys() : [userId]) if (cached.has(id)) due.add(id);
    if (due.size > 0 && !closed) epochCheck ??= setTimeout(checkEpochs, CHECK_AFTER).unref();
  };

  const isTooLarge = (memory: InMemoryIndex, { statistics }: Changes): boolean =>
    statistics.turns >= limits.turns || bytesOf(memory) > limits.bytes;

  /** Reads all turns, in slices. If even the first slice is missing, the user does not exist. */
  const readAll = async (
    userId: string,
    memory: InMemoryIndex,
  ): Promise<'WHOLE' | 'CHANGED' | 'NOT_TO_CACHE'> => {
    for (let isAll = false; !isAll && !closed; ) {
      const { embedder, reached } = memory;
      const next = (tx: Tx) => turnChanges(tx, embedder, reached, SLICE);
      const changes: Changes | null = await db.asUser(userId, next, {
        readOnly: true,
        generic: true,
      });
      if (!changes) return reached.epoch === null ? 'NOT_TO_CACHE' : 'CHANGED';
      apply(memory, changes);
      if (isTooLarge(memory, changes)) return 'NOT_TO_CACHE';
      isAll = changes.isAll;
    }
    return closed ? 'CHANGED' : 'WHOLE';
  };

  /** The segments of a memory with their vectors, which are read again if the segments have changed. */
  const segmentsOf = async (tx: Tx, memory: InMemoryIndex, found: SegmentVersions | null) => {
    if (found && memory.segments?.version === found.version) {
      return { ...memory.segments, segments: found.segments };
    }
    memory.segments = found && (await withVectors(tx, memory.embedder));
    return memory.segments;
  };

  const load = async (userId: string, embedder: string): Promise<void> => {
    const outdated = cached.peek(userId);
    const memory = outdated?.embedder === embedder ? outdated : emptyIndex(embedder);
    const outcome = await readAll(userId, memory);
    remove(userId, memory);
    if (outcome === 'NOT_TO_CACHE') misses.set(userId, outcome);
    if (outcome !== 'WHOLE' || reading?.dropped) return;
    cached.set(userId, memory);
    misses.delete(userId);
    // Something may have been forgotten since the last slice.
    changed(userId);
  };

  const dropForgotten = async (): Promise<void> => {
    clearTimeout(epochCheck);
    epochCheck = undefined;
    const userIds = [...due];
    due.clear();
    const rows = await db.system<{ userId: string; epoch: number }>(EPOCHS, [userIds]);
    const epochs = new Map(rows.map(({ userId, epoch }) => [userId, epoch]));
    for (const userId of userIds) {
      if (cached.peek(userId)?.reached.epoch !== epochs.get(userId)) cached.delete(userId);
    }
  };
  const checkEpochs = () => {
    dropForgotten().catch((error: unknown) => {
      // Without the epochs nothing in the cache can be trusted.
      cached.clear();
      logger.warn({ err: error }, 'recall.cache_failed');
    });
  };

  return {
    async read(tx, search, small) {
      const { userId } = tx;
      const memory = cached.get(userId);
      if (!memory) return null;
      const isUsable = memory.embedder === search.embedder && memory.columns.rows < limits.turns;
      const changes = { changes: NEW, small };
      const found = isUsable
        ? await turnChangesFound(tx, search, memory.reached, changes).catch((error: unknown) => {
            remove(userId, memory);
            throw error;
          })
        : null;
      if (!found) {
        remove(userId, memory);
        return null;
      }
      const size = bytesOf(memory);
      apply(memory, found.changes);
      const { reached } = found.changes;
      // Another recall may have added later turns meanwhile.
      const lastId = Math.min(memory.lastId, reached.turn);
      const segments = await segmentsOf(tx, memory, found.segments).finally(() => {
        if (bytesOf(memory) !== size) measure(userId, memory);
      });
      // More turns are new than a recall reads. The rest is read in the background.
      if (!found.changes.isAll) return null;
      const held = { ...found, segments, index: memory, lastId };
      return {
        embedder: memory.embedder,
        find: (asked) => candidatesIn(held, asked),
        isCurrent: (tx) => isReached(tx, reached),
      };
    },
    missed(userId, embedder) {
      if (limits.bytes === 0 || reading || closed) return;
      const before = misses.get(userId);
      if (before === undefined) misses.set(userId, 'ONCE');
      if (!cached.has(userId) && (before !== 'ONCE' || !hasRoom())) return;
      const over = load(userId, embedder)
        .catch((error: unknown) => logger.warn({ userId, err: error }, 'recall.cache_failed'))
        .finally(() => {
          reading = null;
        });
      reading = { userId, dropped: false, over };
    },
    drop: (userId) => {
      cached.delete(userId);
      if (reading?.userId === userId) reading.dropped = true;
    },
    changed,
    dropForgotten,
    holds: (userId) => cached.has(userId),
    size: () => (cached.size === 0 ? 0 : cached.calculatedSize),
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(sweeper);
      clearTimeout(epochCheck);
      await reading?.over;
      cached.clear();
    },
  };
}
