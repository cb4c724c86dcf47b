/**
 * Returns the least processor time of at most three runs of some work, in milliseconds; a run below `enough` is the last.
 * It is independent of other processes, but one run may include what other threads of this process do, and the collection of
 * what other tests have left. The work must do the same in each run: nothing may be kept from the first.
 */
export function processorTime(work: () => unknown, enough = 0): number {
  let least = Infinity;
  for (let run = 0; run < 3 && least >= enough; run += 1) {
    const before = process.cpuUsage();
    work();
    least = Math.min(least, since(before));
  }
  return least;
}

/** Returns the processor time of this process, with its threads, until work has ended, in milliseconds. */
export async function processorTimeUntil(work: Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work;
  return since(before);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
