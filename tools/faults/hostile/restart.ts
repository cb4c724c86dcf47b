import { setTimeout as delay } from 'node:timers/promises';
import { hasWork, workOf } from '../../../src/cli/support/memory-client.ts';
import { patiently } from '../../support/patiently.ts';
import type { Arena, Restart } from './arena.ts';
import { deliver } from './deliver.ts';
import type { Delivery } from './deliveries.ts';
import { whileWatched } from './phase.ts';

/** A start with hostile texts that are still to be worked on. */
export type HostileRestart = {
  kind: string;
  signal: string;
  /** Null where the server was down before it could be ended. */
  restart: Restart | null;
  isDown: boolean;
  problems: string[];
  /** What took too long. */
  slow: string[];
};

/** How long the server may take to stop, in seconds: after 9 it gives up, with code 1. */
const STOP_WITHIN = { own: 9, most: 11 };
/** A start is as usual up to so much longer than the median, and a second or two of a busy machine. */
const USUAL = { times: 2, seconds: 2 };
/** In so many milliseconds some of the work on the texts must be done: all of it may take minutes. */
const PROGRESS_WITHIN = 30_000;
const POLL_EVERY = 200;

/** Sends texts, ends the server while they wait to be worked on, and looks whether it comes back and gets through them. */
export async function restartWith(
  arena: Arena,
  { kind, userId }: { kind: string; userId: string },
  deliveries: readonly Delivery[],
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<HostileRestart> {
  const token = await arena.tokenOf(userId);
  const sent = await whileWatched(arena, () => deliver(arena.server.url, token, deliveries));
  const found = { kind, signal, isDown: sent.isDown, problems: sent.result, slow: [] as string[] };
  if (sent.isDown) return { ...found, restart: null };
  const restart = await arena.restart(signal);
  const most = arena.usualStart * USUAL.times + USUAL.seconds;
  if (restart.ready > most) {
    found.slow.push(
      `ready after ${restart.ready.toFixed(1)} s, usual are ${arena.usualStart.toFixed(1)} s`,
    );
  }
  if (signal === 'SIGTERM') {
    const { stop, code } = restart;
    const how = `stopped after ${stop.toFixed(1)} s with code ${code}`;
    if (code !== 0 && stop < STOP_WITHIN.own) found.problems.push(how);
    else if (code !== 0 || stop > STOP_WITHIN.most) found.slow.push(how);
  }
  arena.pending.add(userId);
  const { isDown, result } = await whileWatched(arena, () => watchWork(arena, userId));
  return { ...found, restart, isDown, problems: [...found.problems, ...result] };
}

/**
 * Looks whether the work on a user's texts goes on, or that on what others left before, behind which it may wait.
 * @returns a line if not, or if a step is dead
 */
async function watchWork({ server, pending }: Arena, userId: string): Promise<string[]> {
  const look = async () => {
    const all = await Promise.all([...pending].map((own) => workOf(server, own)));
    return all.flat().join(', ');
  };
  const before = await patiently(look);
  const until = performance.now() + PROGRESS_WITHIN;
  while (await patiently(() => hasWork(server, userId))) {
    if (before !== (await patiently(look))) return [];
    if (performance.now() > until) {
      return [`nothing was done in ${PROGRESS_WITHIN / 1000} s: ${before}`];
    }
    await delay(POLL_EVERY);
  }
  return [];
}

/** Waits until nothing is left to do for a user. @returns a line if that takes too long, or a step is dead */
export async function untilSettledWithin(
  { server }: Arena,
  userId: string,
  within: number,
): Promise<string[]> {
  const until = performance.now() + within;
  while (await patiently(() => hasWork(server, userId))) {
    if (performance.now() > until) {
      const left = (await workOf(server, userId)).join(', ');
      return [`work is left after ${within / 1000} s: ${left}`];
    }
    await delay(POLL_EVERY);
  }
  return [];
}
