import { createPreference } from '../domain/core/preference.ts';

/** Whose turn a task waits for. `isBulk`: it is one of many pieces of long work, and short tasks of all users go first. */
export type PlaceInLine = {
  userId: string;
  isBulk?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Leaves the line to others while the task waits for `work`, and comes back to it. A task may do so several times, also at the
 * same time.
 */
export type Meanwhile = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs a task when it is the user's turn. Rejects with the signal's reason if the signal is aborted before that. */
export type FairLine = <T>(
  place: PlaceInLine,
  task: (meanwhile: Meanwhile) => Promise<T>,
) => Promise<T>;

/** Takes the line; resolves when the line is free again. */
type Turn = () => Promise<void>;
/** The turns that each user waits for. Who joined last is at the end. */
type Waiting = Map<string, Turn[]>;

/** After this many short tasks that were preferred to waiting pieces of long work, one piece goes first. */
const SHORT_BEFORE_BULK = 4;

/**
 * A queue that runs one task at a time. Users share its time equally (start-time fair queueing): next is the user whose tasks
 * have taken the least time, and a user who joins counts as served as long as the one whose turn it is. So a new user's
 * task waits for the running task and for other new users, however long the tasks of the others are and however many
 * they have. The tasks of one user keep their order; one that comes back goes before those that have not begun. Pieces of long work
 * wait for all short tasks, but every fifth task is one of them.
 * @param now the time in milliseconds since any moment
 */
export function createFairLine(now: () => number = () => performance.now()): FairLine {
  const short: Waiting = new Map();
  const bulk: Waiting = new Map();
  const isBulksTurn = createPreference(SHORT_BEFORE_BULK);
  /** How long each user has been served, in milliseconds, if it is longer than `least`. */
  const served = new Map<string, number>();
  let least = 0;
  let busy = false;

  const servedOf = (userId: string) => Math.max(least, served.get(userId) ?? 0);
  const serveNext = async () => {
    const waiting = isBulksTurn(short.size > 0, bulk.size > 0) ? bulk : short;
    const [userId, [turn, ...rest]] = [...waiting].reduce((next, other) =>
      servedOf(other[0]) < servedOf(next[0]) ? other : next,
    );
    waiting.delete(userId);
    if (rest.length > 0) waiting.set(userId, rest);
    least = servedOf(userId);
    const began = now();
    await turn?.();
    served.set(userId, least + now() - began);
    for (const [other, time] of served) if (time <= least) served.delete(other);
  };
  const run = async () => {
    if (busy) return;
    busy = true;
    while (short.size + bulk.size > 0) await serveNext();
    busy = false;
  };

  return ({ userId, isBulk, signal }, task) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const waiting = isBulk ? bulk : short;
      let leave: (() => void) | null = null;
      let isOver = false;
      let comingBack: Promise<void> | null = null;
      const end = () => {
        leave?.();
        leave = null;
      };
      /** Waits for the line. A task that is over meanwhile leaves it at once. */
      const enter = (): Promise<void> =>
        new Promise((entered) => {
          const turn: Turn = () =>
            new Promise((left) => {
              leave = left;
              comingBack = null;
              entered();
              if (isOver) end();
            });
          waiting.set(userId, [turn, ...(waiting.get(userId) ?? [])]);
          void run();
        });
      const meanwhile: Meanwhile = async (work) => {
        end();
        try {
          return await work();
        } finally {
          if (!leave && !isOver) {
            comingBack ??= enter();
            await comingBack;
          }
        }
      };
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      const begin: Turn = () =>
        new Promise((left) => {
          signal?.removeEventListener('abort', abort);
          if (signal?.aborted) return left();
          leave = left;
          task(meanwhile)
            .then(resolve, reject)
            .finally(() => {
              isOver = true;
              end();
            });
        });
      waiting.set(userId, [...(waiting.get(userId) ?? []), begin]);
      void run();
    });
}
