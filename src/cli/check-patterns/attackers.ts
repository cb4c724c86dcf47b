import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Attacked, Message, Target } from './attack.ts';

/** Milliseconds after which an attack is taken to have no end. */
const NO_END = 5_000;

const startWorker = (): Worker => new Worker(new URL('./attack-worker.mjs', import.meta.url));

/** What one thread found about a target; it is stopped if a text keeps it for too long. */
async function attackBy(
  worker: Worker,
  target: Target,
): Promise<{ found: Attacked; isLost: boolean }> {
  let trying = 'its first text';
  worker.postMessage(target);
  for (;;) {
    const signal = AbortSignal.timeout(NO_END);
    try {
      const [message] = (await once(worker, 'message', { signal })) as [Message];
      if ('done' in message) return { found: message.done, isLost: false };
      trying = message.trying;
    } catch (error) {
      if (!signal.aborted) throw error;
      await worker.terminate();
      return { found: { attack: trying, length: 0, took: NO_END }, isLost: true };
    }
  }
}

/** Attacks each target in one of some threads; the answers in the same order. */
export async function attackAll(targets: readonly Target[], threads: number): Promise<Attacked[]> {
  const found: Attacked[] = targets.map(() => null);
  let next = 0;
  const work = async (): Promise<void> => {
    let worker = startWorker();
    while (next < targets.length) {
      const at = next;
      next += 1;
      const target = targets[at];
      if (target === undefined) break;
      const answer = await attackBy(worker, target);
      found[at] = answer.found;
      if (answer.isLost) worker = startWorker();
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: threads }, work));
  return found;
}
