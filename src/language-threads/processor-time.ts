import { readFileSync, readlinkSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/** The number by which Linux knows this thread; null elsewhere. */
export function ownThreadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}

/**
 * Milliseconds for which a thread has computed. On Linux the processor's own count, so that a thread that has to wait for
 * a busy machine is not taken to hang; elsewhere the time for which its event loop was not idle.
 */
export function processorTime(worker: Worker, threadId: number | null): number {
  if (threadId !== null) {
    try {
      const nanoseconds = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(
        ' ',
        1,
      )[0];
      return Number(nanoseconds) / 1e6;
    } catch {
      // This kernel keeps no such count.
    }
  }
  return worker.performance.eventLoopUtilization().active;
}
