/** Returns the processor time of work in milliseconds, which is independent of other load. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return since(before);
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
