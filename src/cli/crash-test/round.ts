import type { ServerProcess } from '../server-process.ts';
import { checkIndexed } from './check-indexed.ts';
import { checkMemory } from './check-memory.ts';
import type { Call } from './plan.ts';
import { type Memory, readMemory } from './read-memory.ts';
import { type Sent, sendAgain, sendUntilKilled } from './send.ts';

/** What a round saw. Counts are of calls, but for `turns`. */
export type Round = {
  acknowledged: number;
  /** Sent without an answer before the kill, and how many of them were stored all the same. */
  unanswered: number;
  kept: number;
  turns: number;
  /** Seconds from the kill until the server answered again. */
  upAfter: number;
  /** Seconds from then until all background work was done. */
  indexedAfter: number;
  problems: string[];
  sent: Sent[];
};

const INDEXED_WITHIN = 60_000;
/** Longest time from the chosen acknowledgement to the kill, in milliseconds. */
const LONGEST_PAUSE = 30;

/**
 * Sends calls to a server, kills it at a random moment in the middle, starts it again on the same
 * data, and checks over its API what is left: at once, when the background work is over, and after
 * everything was sent again.
 * @returns what was seen, and the server that runs now
 */
export async function runRound(
  server: ServerProcess,
  restart: () => Promise<ServerProcess>,
  calls: readonly Call[],
  random: () => number,
): Promise<{ round: Round; server: ServerProcess }> {
  const killAfter = 1 + Math.floor(calls.length * (0.05 + 0.9 * random()));
  const sent = await sendUntilKilled(server, calls, killAfter, random() * LONGEST_PAUSE);
  const killed = performance.now();
  await server[Symbol.asyncDispose]();
  const next = await restart();
  const up = performance.now();

  const found = await readMemories(next, sent);
  const problems = checkMemories(found, sent, false);
  const acknowledged = sent.filter(({ ids }) => ids !== null).length;
  const unanswered = sent.filter((entry) => entry.sent && entry.ids === null);
  const kept = unanswered.filter((entry) => isStored(entry, found)).length;

  problems.push(...(await checkIndexed(next, sent, random, up + INDEXED_WITHIN)));
  const indexed = performance.now();
  problems.push(...checkMemories(await readMemories(next, sent), sent, true));

  problems.push(...(await sendAgain(next, sent)));
  problems.push(...(await checkIndexed(next, sent, random, performance.now() + INDEXED_WITHIN)));
  problems.push(...checkMemories(await readMemories(next, sent), sent, true));
  return {
    server: next,
    round: {
      acknowledged,
      unanswered: unanswered.length,
      kept,
      turns: calls.reduce((sum, call) => sum + call.turns.length, 0),
      upAfter: (up - killed) / 1000,
      indexedAfter: (indexed - up) / 1000,
      problems: [...new Set(problems)],
      sent,
    },
  };
}

/** The memory of every user that was sent to. */
export function readMemories(
  client: Pick<ServerProcess, 'request'>,
  sent: readonly Sent[],
): Promise<Memory[]> {
  const userIds = new Set(sent.map(({ call }) => call.userId));
  return Promise.all([...userIds].map((userId) => readMemory(client, userId)));
}

/** See `checkMemory`. */
export const checkMemories = (
  memories: readonly Memory[],
  sent: readonly Sent[],
  indexed: boolean,
): string[] =>
  memories.flatMap((memory) => {
    const own = sent.filter(({ call }) => call.userId === memory.userId);
    return checkMemory(memory, own, indexed);
  });

const isStored = ({ call }: Sent, memories: readonly Memory[]): boolean =>
  memories.some(
    ({ userId, turns }) =>
      userId === call.userId && turns.some(({ text }) => text === call.turns[0]?.text),
  );
