import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Attacked, Message, Target } from './attack.ts';

/** Milliseconds after which an attack is taken to have no end. */
const NO_END = 10_000;

/** A process of its own, so that its processor time can be told from that of others. */
const start = (): ChildProcess =>
  fork(fileURLToPath(new URL('./attack-worker.mjs', import.meta.url)), { execArgv: [] });

/** What one process found about a target; it is stopped if a text keeps it for too long. */
async function attackBy(
  worker: ChildProcess,
  target: Target,
): Promise<{ found: Attacked; isLost: boolean }> {
  let trying = 'its first text';
  worker.send(target);
  for (;;) {
    const signal = AbortSignal.timeout(NO_END);
    try {
      const [message] = (await once(worker, 'message', { signal })) as [Message];
      if ('done' in message) return { found: message.done, isLost: false };
      trying = message.trying;
    } catch (error) {
      if (!signal.aborted) throw error;
      worker.kill('SIGKILL');
      return { found: { attack: trying, length: 0, took: NO_END }, isLost: true };
    }
  }
}

/** Attacks each target in one of some processes; the answers in the same order. */
export async function attackAll(
  targets: readonly Target[],
  processes: number,
): Promise<Attacked[]> {
  const found: Attacked[] = targets.map(() => null);
  let next = 0;
  const work = async (): Promise<void> => {
    let worker = start();
    while (next < targets.length) {
      const at = next;
      next += 1;
      const target = targets[at];
      if (target === undefined) break;
      const answer = await attackBy(worker, target);
      found[at] = answer.found;
      if (answer.isLost) worker = start();
    }
    worker.kill();
  };
  await Promise.all(Array.from({ length: processes }, work));
  return found;
}
