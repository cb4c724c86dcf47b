import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Attacked, Target } from './attack.ts';

/** Starts a process for attacks. Processor time can only be measured per process. */
const start = (): ChildProcess =>
  fork(fileURLToPath(new URL('./attack-worker.mjs', import.meta.url)), { execArgv: [] });

/** @throws if the process ends without an answer */
async function attackBy(worker: ChildProcess, target: Target): Promise<Attacked> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  worker.once('exit', end);
  try {
    const answer = once(worker, 'message', { signal: ended.signal });
    worker.send(target);
    const [found] = (await answer) as [Attacked];
    return found;
  } catch (error) {
    throw new Error(`The attack on /${target.source}/ ended without an answer`, { cause: error });
  } finally {
    worker.off('exit', end);
  }
}

/** Attacks the targets in several processes. Returns the results in the order of the targets. */
export async function attackAll(
  targets: readonly Target[],
  processes: number,
): Promise<Attacked[]> {
  const found: Attacked[] = targets.map(() => null);
  const queue = [...targets.entries()];
  const work = async (): Promise<void> => {
    const worker = start();
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [at, target] = next;
        found[at] = await attackBy(worker, target);
      }
    } finally {
      worker.kill();
    }
  };
  await Promise.all(Array.from({ length: Math.min(processes, targets.length) }, work));
  return found;
}
