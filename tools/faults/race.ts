import { setTimeout as sleep } from 'node:timers/promises';
import { runInFlight } from '../support/measure.ts';
import { createScratchDatabase } from '../support/scratch-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { planCalls } from './crash-test/plan.ts';
import { type RememberedTurn, remember, type Sent } from './crash-test/send.ts';
import { type Fault, QUIET } from './fault.ts';
import { checkSettled } from './settled.ts';
import { checkSeen, subscribe } from './subscriber.ts';

const IN_FLIGHT = 8;
/** The servers get a head start in turns, in milliseconds: otherwise the faster one would win every time. */
const HEAD_START = 10;
const USER = 'ana';

/** Two servers get the same calls for one user at the same time: each turn is stored once, and both return the same. */
export const race: Fault = async ({ cluster, random, chat, calls: count }) => {
  await using database = await createScratchDatabase(cluster.url);
  const env = { ...QUIET, DATABASE_URL: database.url };
  await using first = await startServerProcess({ env });
  await using second = await startServerProcess({ env, apiKey: first.apiKey });
  const calls = planCalls(random, chat, 1, count).map((call) => ({ ...call, userId: USER }));
  await using subscriber = subscribe(() => second, USER);
  const sent: Sent[] = [];
  const problems: string[] = [];
  let won = 0;
  await runInFlight(calls.length, IN_FLIGHT, async (index) => {
    const call = calls[index] as (typeof calls)[number];
    const early = index % 2 === 0 ? first : second;
    const answerOf = async (server: typeof first) => {
      if (server !== early) await sleep(HEAD_START);
      return remember(server, call);
    };
    const [one, other] = await Promise.all([answerOf(first), answerOf(second)]);
    sent.push({ call, sent: true, ids: one.map(({ turn }) => turn?.id ?? '') });
    problems.push(...compare(one, other));
    if (other.some(({ status }) => status === 'STORED')) won += 1;
  });
  problems.push(
    ...(await checkSettled(first, sent, random)),
    ...(await checkSeen(subscriber, second, USER)),
  );
  return {
    checked: { calls: sent.length, wonBySecond: won, events: subscriber.numbers.length },
    problems,
  };
};

function compare(one: readonly RememberedTurn[], other: readonly RememberedTurn[]): string[] {
  return one.flatMap(({ status, turn }, place) => {
    const twin = other[place];
    const stored = [status, twin?.status].filter((each) => each === 'STORED').length;
    const same = turn?.id !== undefined && turn.id === twin?.turn?.id;
    if (same && stored === 1) return [];
    return [
      `a turn is ${status} (${turn?.id}) at one server, ${twin?.status} (${twin?.turn?.id}) at the other`,
    ];
  });
}
