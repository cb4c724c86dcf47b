import type { Priority } from '../core/embedder.ts';

/** Runs pieces of work one at a time, those of queries first. */
export type InTurns = <T>(priority: Priority, work: () => Promise<T>) => Promise<T>;

/** Creates a queue in which a query waits for at most one piece of a batch. */
export function createTurns(): InTurns {
  const waiting: Record<Priority, (() => Promise<void>)[]> = { query: [], batch: [] };
  let busy = false;
  const next = async () => {
    if (busy) return;
    busy = true;
    const first = () => waiting.query.shift() ?? waiting.batch.shift();
    for (let work = first(); work; work = first()) await work();
    busy = false;
  };
  return (priority, work) =>
    new Promise((resolve, reject) => {
      waiting[priority].push(() => work().then(resolve, reject));
      void next();
    });
}
