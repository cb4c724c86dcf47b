import { startServerProcess } from '../support/server-process.ts';
import { planCalls } from './crash-test/plan.ts';
import { type Fault, QUIET } from './fault.ts';
import { persist } from './persist.ts';
import { checkSettled } from './settled.ts';
import { checkSeen, subscribe } from './subscriber.ts';

const AWAY_FOR = 1_000;

/** PostgreSQL restarts under load: failed calls are retryable, and everything is stored in the end. */
export const restartDatabase: Fault = async ({ cluster, random, chat, calls: count }) => {
  await using server = await startServerProcess({
    databaseUrl: cluster.url,
    env: QUIET,
  });
  const calls = planCalls(random, chat, 1, count);
  const userId = calls[0]?.userId ?? '';
  await using subscriber = subscribe(() => server, userId);
  let restarts = 0;
  let restarted = Promise.resolve();
  const seen = await persist(
    () => server,
    calls,
    (acknowledged) => {
      if (acknowledged !== Math.floor(count / 3) && acknowledged !== Math.floor((2 * count) / 3))
        return;
      restarts += 1;
      restarted = restarted.then(() => cluster.restart(AWAY_FOR));
    },
  );
  await restarted;
  const problems = [
    ...seen.problems,
    ...(await checkSettled(server, seen.sent, random)),
    ...(await checkSeen(subscriber, server, userId)),
  ];
  const { retryable, unanswered } = seen;
  if (unanswered > 0) problems.push(`${unanswered} requests were left without an answer`);
  return {
    checked: { restarts, calls: seen.sent.length, retryable, events: subscriber.numbers.length },
    problems,
  };
};
