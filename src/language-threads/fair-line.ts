import { createPreference } from '../domain/core/preference.ts';

/** Whose turn a task waits for. `isBulk`: it is one of many pieces of long work, and short tasks of all users go first. */
export type PlaceInLine = {
  userId: string;
  isBulk?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/** Runs a task when it is the user's turn. Rejects with the signal's reason if the signal is aborted before that. */
export type FairLine = <T>(place: PlaceInLine, task: () => Promise<T>) => Promise<T>;

/** The waiting tasks of each user, who joined last at the end. */
type Waiting = Map<string, (() => Promise<void>)[]>;

/** After this many short tasks that were preferred to waiting pieces of long work, one piece goes first. */
const SHORT_BEFORE_BULK = 4;

/**
 * A queue that runs one task at a time. Users share its time equally (start-time fair queueing): next is the user whose tasks
 * have taken the least time, and a user who joins counts as served as long as the one whose turn it is. So a new user's
 * task waits for the running task and for other new users, however long the tasks of the others are and however many
 * they have. The tasks of one user keep their order. Pieces of long work wait for all short tasks, but every fifth task is
 * one of them.
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
    const [userId, [task, ...rest]] = [...waiting].reduce((next, other) =>
      servedOf(other[0]) < servedOf(next[0]) ? other : next,
    );
    waiting.delete(userId);
    if (rest.length > 0) waiting.set(userId, rest);
    least = servedOf(userId);
    const began = now();
    await task?.();
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
      const leave = () => reject(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      const waiting = isBulk ? bulk : short;
      const own = waiting.get(userId) ?? [];
      own.push(async () => {
        signal?.removeEventListener('abort', leave);
        if (!signal?.aborted) await task().then(resolve, reject);
      });
      waiting.set(userId, own);
      void run();
    });
}
