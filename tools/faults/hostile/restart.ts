import { setTimeout as delay } from 'node:timers/promises';
import { backlogOf, hasWork, workOf } from '../../../src/cli/support/memory-client.ts';
import { patiently } from '../../support/patiently.ts';
import type { Arena, Restart } from './arena.ts';
import { whileWatched } from './phase.ts';
import { deliver } from './texts/deliver.ts';
import type { Delivery } from './texts/deliveries.ts';

/** The result of a restart with pending hostile texts. */
export type HostileRestart = {
  kind: string;
  signal: string;
  /** Null if the server was down before it could be stopped. */
  restart: Restart | null;
  isDown: boolean;
  problems: string[];
  /** A line for everything that took too long. */
  slow: string[];
};

/** How long the server may take to stop, in seconds: after 9 it exits with code 1. */
const STOP_WITHIN = { own: 9, most: 11 };
/** How much longer than the median a start may take: a factor, and seconds for a busy machine. */
const USUAL = { times: 2, seconds: 2 };
/** Within how many milliseconds the background work must make progress. All of it may take minutes. */
const PROGRESS_WITHIN = 30_000;
/** Seldom, since each look is work for the server that is watched. */
const POLL_EVERY = 1_000;

/** Sends texts, stops the server while they are pending, and checks that the next server processes them. */
export async function restartWith(
  arena: Arena,
  { kind, userId }: { kind: string; userId: string },
  deliveries: readonly Delivery[],
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<HostileRestart> {
  const token = await arena.tokenOf(userId);
  const sent = await whileWatched(arena, () => deliver(arena.server.url, token, deliveries));
  if (sent.isDown) {
    return { kind, signal, restart: null, isDown: true, problems: sent.result, slow: [] };
  }
  const restarted = await restartAfter(arena, kind, signal);
  arena.pending.add(userId);
  const { isDown, result } = await whileWatched(arena, () => watchWork(arena, userId));
  return {
    ...restarted,
    isDown,
    problems: [...sent.result, ...restarted.problems, ...result],
  };
}

/** Restarts the server, and checks that it stops and starts within its usual time. */
export async function restartAfter(
  arena: Arena,
  kind: string,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<HostileRestart> {
  const restart = await arena.restart(signal);
  const { ready, stop, code } = restart;
  const found = {
    ...{ kind, signal, restart, isDown: false },
    ...{ problems: [] as string[], slow: [] as string[] },
  };
  if (ready > arena.usualStart * USUAL.times + USUAL.seconds) {
    found.slow.push(
      `ready after ${ready.toFixed(1)} s, usual are ${arena.usualStart.toFixed(1)} s`,
    );
  }
  if (signal === 'SIGTERM') {
    const how = `stopped after ${stop.toFixed(1)} s with code ${code}`;
    if (code !== 0 && stop < STOP_WITHIN.own) found.problems.push(how);
    else if (code !== 0 || stop > STOP_WITHIN.most) found.slow.push(how);
  }
  return found;
}

/**
 * Checks that the work on a user's texts makes progress, or that on earlier texts of others, for which it may wait.
 * @returns a line if it does not, or if a step is dead
 */
async function watchWork({ server, pending }: Arena, userId: string): Promise<string[]> {
  const look = async () => {
    const all = await Promise.all(
      [...pending].map(async (own) => [
        ...(await workOf(server, own)),
        await backlogOf(server, own),
      ]),
    );
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

/** Waits until a user has no pending work. @returns a line if that takes too long, or if a step is dead */
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
