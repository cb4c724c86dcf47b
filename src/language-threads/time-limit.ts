import type { Worker } from 'node:worker_threads';
import { processorTime } from './processor-time.ts';

/** How long a task may take, in milliseconds: processor time (`computing`) and elapsed time (`inAll`). */
export type TimeLimit = { computing: number; inAll: number };

/** A task exceeded its limit of time or memory, and its thread was terminated. */
export class TaskStopped extends Error {
  override readonly name = 'TaskStopped';
}

/**
 * Extra processor time for tasks beyond their limits, in milliseconds, since some must first compile expressions that no text
 * has needed lately. Tasks use it up; a share of the time that passes comes back.
 */
const SPARE = { most: 250, share: 0.02 };

/** A thread whose tasks have limits. */
export type Watched = {
  worker: Worker;
  /** Whether the thread was stopped or has ended. */
  isLost: boolean;
  threadId: number | null;
  /** The processor time, in milliseconds, at which the thread's extra time (`coldTime`) is used up. */
  coldUntil: number;
  /** The extra time that was left at a moment, see `SPARE`. */
  spare: { left: number; at: number };
};

/** The extra time of a new thread. */
export const fullSpare = (): Watched['spare'] => ({ left: SPARE.most, at: performance.now() });

/** Terminates the thread if its task exceeds its limits. `over` rejects then. */
export function watchTime(thread: Watched, { computing, inAll }: TimeLimit) {
  const { worker, threadId, coldUntil } = thread;
  const from = processorTime(worker, threadId);
  const spare = spareOf(thread);
  const most = computing + Math.max(spare, coldUntil - from);
  const began = performance.now();
  const until = began + inAll;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const stop = (limit: number) => {
      thread.isLost = true;
      void worker.terminate();
      reject(new TaskStopped(`The rules took longer than ${limit} ms and were stopped.`));
    };
    const look = () => {
      const left = most - (processorTime(worker, threadId) - from);
      const rest = until - performance.now();
      if (left <= 0) stop(computing);
      else if (rest <= 0) stop(inAll);
      else timer = setTimeout(look, Math.max(1, Math.min(left, rest)));
    };
    timer = setTimeout(look, Math.min(computing, inAll));
  });
  return {
    over,
    stop: () => {
      clearTimeout(timer);
      const now = performance.now();
      // Most tasks end sooner, and asking for the processor time takes as long as a short one.
      const used = now - began > computing ? processorTime(worker, threadId) - from : 0;
      const beyond = Math.max(0, used - computing);
      thread.spare = { left: Math.max(0, spare - beyond), at: now };
    },
  };
}

/** The extra time that a task of this thread may use now. */
function spareOf({ spare: { left, at } }: Watched): number {
  return Math.min(SPARE.most, left + (performance.now() - at) * SPARE.share);
}
