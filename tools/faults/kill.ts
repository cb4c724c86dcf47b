import { makeServerPlace } from '../support/restartable-server.ts';
import { planCalls } from './crash-test/plan.ts';
import { runRound } from './crash-test/round.ts';
import type { Fault } from './fault.ts';

/** The server is killed during its work. `npm run test:crash` does so repeatedly. */
export const kill: Fault = async ({ random, chat, calls: count }) => {
  await using place = await makeServerPlace(undefined);
  const calls = planCalls(random, chat, 1, count);
  const plan = { parts: [calls], moments: ['work' as const], withActs: false, isOver: () => false };
  const { round, server } = await runRound({ place, server: await place.start() }, plan, random);
  await server[Symbol.asyncDispose]();
  return {
    checked: { acknowledged: round.acknowledged, turns: round.turns },
    problems: round.problems,
  };
};
