import { setTimeout as delay } from 'node:timers/promises';

/** Starts work at regular intervals, whether or not earlier work is done, and waits for all of it. */
export async function atRate(
  perSecond: number,
  count: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  const start = performance.now();
  const all: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = start + (index * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await delay(early);
    all.push(work(index));
  }
  await Promise.all(all);
}
