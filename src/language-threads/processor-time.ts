import { readFileSync, readlinkSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/** The thread id of this thread on Linux; null on other systems. */
export function ownThreadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}

/**
 * The processor time of a thread, in milliseconds. On Linux the kernel counts it, so that waiting for a busy machine does not
 * count. On other systems it is the time for which the thread's event loop was active.
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
      // This kernel has no schedstat.
    }
  }
  return worker.performance.eventLoopUtilization().active;
}
