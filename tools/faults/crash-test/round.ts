import { runInFlight } from '../../support/measure.ts';
import type { ServerPlace } from '../../support/restartable-server.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { type Acts, finishActs, noActs } from './acts.ts';
import { checkIndexed } from './check-indexed.ts';
import { checkMemory } from './check-memory.ts';
import { killDuring, type Moment } from './ending.ts';
import type { Call } from './plan.ts';
import { type Memory, readMemory } from './read-memory.ts';
import { type Sent, sendAgain } from './send.ts';

/** The results of a round. Except for `turns` and `kills` the counts are numbers of calls. */
export type Round = {
  kills: number;
  acknowledged: number;
  /** Calls without an answer before a kill, and how many of them were stored. */
  unanswered: number;
  kept: number;
  turns: number;
  /** The seconds from each kill until the server answered again. */
  upAfter: number[];
  /** The seconds from the last start until all background work was done. */
  indexedAfter: number;
  problems: string[];
  sent: Sent[];
  acts: Acts;
};

/** The plan of a round: the calls between kills, and the moment of each kill. */
export type RoundPlan = {
  parts: readonly (readonly Call[])[];
  moments: readonly Moment[];
  /** Whether to forget, close, record and import something between the calls. */
  withActs: boolean;
  /** Whether to skip the remaining kills. */
  isOver(): boolean;
};

const IN_FLIGHT = 8;
/**
 * How long the background work may take after the last kill: some seconds, in which the leases of killed steps end, and a part of
 * a second for each turn. Two cores usually work off 30 turns a second.
 */
const RESTS_WITHIN = { seconds: 120, turnsPerSecond: 5 };

/**
 * For each part, sends calls to a server, kills it at a random moment and starts it again on the same data. Then checks
 * the data over the API: at once, after the background work, and after everything was sent again.
 * @returns the results, and the server that runs now
 */
export async function runRound(
  { place, server }: { place: ServerPlace; server: ServerProcess },
  { parts, moments, withActs, isOver }: RoundPlan,
  random: () => number,
): Promise<{ round: Round; server: ServerProcess }> {
  const acts = noActs();
  const sent: Sent[] = [];
  const upAfter: number[] = [];
  let kills = 0;
  let next = server;
  for (const [index, calls] of parts.entries()) {
    if (index > 0 && isOver()) break;
    const moment = moments[index % moments.length] ?? 'work';
    const own = { calls, acts: withActs ? acts : null };
    const killed = await killDuring(moment, { place, server: next }, own, random);
    next = killed.server;
    kills += killed.kills;
    upAfter.push(killed.upAfter);
    sent.push(...killed.sent);
  }
  const up = performance.now();

  const found = await readMemories(next, sent);
  const problems = checkMemories(found, sent, false, acts);
  const acknowledged = sent.filter(({ ids }) => ids !== null).length;
  const unanswered = sent.filter((entry) => entry.sent && entry.ids === null);
  const kept = unanswered.filter((entry) => isStored(entry, found)).length;

  await finishActs(next, acts);
  problems.push(...(await checkIndexed(next, living(sent, acts), random)));
  const indexedAfter = (performance.now() - up) / 1000;
  const turns = sent.reduce((sum, { call }) => sum + call.turns.length, 0);
  const most = RESTS_WITHIN.seconds + turns / RESTS_WITHIN.turnsPerSecond;
  if (indexedAfter > most) {
    const times = `${indexedAfter.toFixed(0)} s, at most ${most.toFixed(0)}`;
    problems.push(`the background work on ${turns} turns took ${times}`);
  }
  problems.push(...checkMemories(await readMemories(next, sent), sent, true, acts));

  problems.push(...(await sendAgain(next, sent, acts.forgets)));
  problems.push(...(await checkIndexed(next, living(sent, acts), random)));
  problems.push(...checkMemories(await readMemories(next, sent), sent, true, acts));
  return {
    server: next,
    round: {
      kills,
      acknowledged,
      unanswered: unanswered.length,
      kept,
      turns,
      upAfter,
      indexedAfter,
      problems: [...new Set(problems)],
      sent,
      acts,
    },
  };
}

/** Reads the memory of every user to whom something was sent. */
export async function readMemories(
  client: Pick<ServerProcess, 'request'>,
  sent: readonly Sent[],
): Promise<Memory[]> {
  const userIds = [...new Set(sent.map(({ call }) => call.userId))];
  const memories: Memory[] = [];
  await runInFlight(userIds.length, IN_FLIGHT, async (index) => {
    memories.push(await readMemory(client, userIds[index] as string));
  });
  return memories;
}

/** See `checkMemory`. */
export const checkMemories = (
  memories: readonly Memory[],
  sent: readonly Sent[],
  indexed: boolean,
  acts: Acts = noActs(),
): string[] =>
  memories.flatMap((memory) => {
    const own = sent.filter(({ call }) => call.userId === memory.userId);
    return checkMemory(memory, own, indexed, acts);
  });

/** The calls of which nothing was forgotten: all of them must be found. */
const living = (sent: readonly Sent[], { forgets }: Acts): Sent[] =>
  sent.filter((entry) => !forgets.some((own) => own.entry === entry));

const isStored = ({ call }: Sent, memories: readonly Memory[]): boolean =>
  memories.some(
    ({ userId, turns }) =>
      userId === call.userId && turns.some(({ text }) => text === call.turns[0]?.text),
  );
