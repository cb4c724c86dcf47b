import { setTimeout as delay } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { call } from './call.ts';
import type { FirstFact } from './first-fact.ts';
import { type Sample, wallClock } from './second-user.ts';
import type { Vitals } from './vitals.ts';

/** The measurements of other users during one kind of attack. */
export type Phase = Vitals & {
  kind: string;
  samples: Sample[];
  /** The slowest first fact; null if none was measured. */
  firstFact: FirstFact | null;
  /** Whether the server hung and was killed, or exited by itself. */
  isDown: boolean;
  problems: string[];
};

type PhaseOptions = {
  kind: string;
  /** The minimum duration in milliseconds, so that there is enough to measure. */
  atLeast: number;
  /** The name of new users who send a message meanwhile, one every few seconds. */
  idleUser?: string;
};

/** After how many milliseconds without an answer of /healthz a server counts as hung. */
const HUNG_AFTER = 20_000;
/** The maximum duration of an attack, in milliseconds. */
const LONGEST = 240_000;
const LOOK_EVERY = 500;
/** How long to wait for the second user's calls in flight at the end, in milliseconds. */
const PATIENCE = 10_000;
/** How long after the beginning of an attack the first new user sends a message, in milliseconds. */
const FACT_AFTER = 200;
const FACT_EVERY = 3_000;

/** Runs an attack and measures its effect on others. The attack returns its own problems. */
export async function runPhase(
  arena: Arena,
  { kind, atLeast, idleUser }: PhaseOptions,
  attack: () => Promise<string[]>,
): Promise<Phase> {
  await arena.vitals();
  const from = wallClock();
  const over = new AbortController();
  const fact = idleUser ? slowestFact(arena, idleUser, over.signal) : null;
  const { isDown, result: problems } = await whileWatched(arena, async () => {
    const own = await attack();
    await delay(Math.max(0, atLeast - (wallClock() - from)));
    return own;
  });
  over.abort();
  const to = wallClock();
  const vitals = await arena.vitals();
  const samples = await arena.secondUser.between(from, to, isDown ? 0 : PATIENCE);
  const firstFact = isDown && fact ? { ms: null, failed: 'the server was down' } : await fact;
  return { kind, ...vitals, samples, firstFact, isDown, problems };
}

/** Lets new users send messages, one after the other, until the attack is over. */
async function slowestFact(
  { secondUser }: Arena,
  name: string,
  over: AbortSignal,
): Promise<FirstFact> {
  await delay(FACT_AFTER);
  let slowest = await secondUser.firstFactOf(name);
  const isNext = () => delay(FACT_EVERY, true, { signal: over }).catch(() => false);
  for (let index = 2; slowest.ms !== null && (await isNext()); index += 1) {
    const fact = await secondUser.firstFactOf(`${name} ${index}`);
    if (fact.ms === null || fact.ms > slowest.ms) slowest = fact;
  }
  return slowest;
}

/** Runs work with a server, and kills the server if it hangs, so that pending calls fail. */
export async function whileWatched(
  { server }: Arena,
  work: () => Promise<string[]>,
): Promise<{ isDown: boolean; result: string[] }> {
  let isOver = false;
  let down: string | null = null;
  void server.exited.then(({ code, signal }) => {
    if (!isOver) down ??= `the server ended by itself with ${signal ?? `code ${code}`}`;
  });
  const watch = async () => {
    while (!isOver && down === null) {
      const answer = await Promise.race([
        call(server.url, null, { path: '/healthz', method: 'GET' }),
        delay(HUNG_AFTER, null, { ref: false }),
      ]);
      if (answer === null && !isOver) {
        down = `the server did not answer for ${HUNG_AFTER / 1000} s and was killed`;
        server.kill('SIGKILL');
      }
      await delay(LOOK_EVERY);
    }
  };
  const watching = watch();
  const done = work().catch((error: unknown) => [
    error instanceof Error ? error.message : String(error),
  ]);
  const late = delay(LONGEST, null, { ref: false }).then(() => {
    if (isOver) return [];
    down ??= `the attack was not over after ${LONGEST / 1000} s, and the server was killed`;
    server.kill('SIGKILL');
    return [];
  });
  const result = await Promise.race([done, late]);
  isOver = true;
  await watching;
  return { isDown: down !== null, result: down === null ? result : [...result, down] };
}
