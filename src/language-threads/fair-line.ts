import { createPreference } from '../domain/core/preference.ts';

/** Whose turn a task waits for. `isBulk`: it is one of many pieces of long work, and short tasks of all users go first. */
export type PlaceInLine = {
  userId: string;
  isBulk?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/** Runs a task when it is the user's turn. Rejects with the signal's reason if the signal is aborted before that. */
export type FairLine = <T>(place: PlaceInLine, task: () => Promise<T>) => Promise<T>;

type Waiting = Map<string, (() => Promise<void>)[]>;

/** After this many short tasks that were preferred to waiting pieces of long work, one piece goes first. */
const SHORT_BEFORE_BULK = 4;

/**
 * A queue that runs one task at a time. Users take turns, so that a user with one task waits for one task of each
 * other user, however many those have; the tasks of one user keep their order. Pieces of long work wait for all short tasks,
 * but every fifth task is one of them.
 */
export function createFairLine(): FairLine {
  const short: Waiting = new Map();
  const bulk: Waiting = new Map();
  const isBulksTurn = createPreference(SHORT_BEFORE_BULK);
  let busy = false;

  const nextIn = (): Waiting => (isBulksTurn(short.size > 0, bulk.size > 0) ? bulk : short);

  const run = async () => {
    if (busy) return;
    busy = true;
    for (let task = takeFrom(nextIn()); task; task = takeFrom(nextIn())) await task();
    busy = false;
  };

  return ({ userId, isBulk, signal }, task) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => reject(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      const waiting = isBulk ? bulk : short;
      const userTasks = waiting.get(userId) ?? [];
      userTasks.push(async () => {
        signal?.removeEventListener('abort', leave);
        if (!signal?.aborted) await task().then(resolve, reject);
      });
      waiting.set(userId, userTasks);
      void run();
    });
}

/** Takes the next task of the user whose turn it is, the first one. A user with more tasks moves to the back. */
function takeFrom(waiting: Waiting): (() => Promise<void>) | undefined {
  for (const [userId, tasks] of waiting) {
    const task = tasks.shift();
    waiting.delete(userId);
    if (tasks.length > 0) waiting.set(userId, tasks);
    return task;
  }
  return undefined;
}
