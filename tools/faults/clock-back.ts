import { setTimeout as delay } from 'node:timers/promises';
import { untilFound } from '../../src/cli/support/memory-client.ts';
import { readAll } from '../../src/cli/support/read-all.ts';
import { startServerProcess } from '../support/server-process.ts';
import { planCalls } from './crash-test/plan.ts';
import { type Fault, QUIET } from './fault.ts';
import { persist } from './persist.ts';
import { checkSettled } from './settled.ts';
import { checkSeen, subscribe } from './subscriber.ts';

/** How soon a turn must be found, in milliseconds: far less than the hour by which the clock goes back. */
const FOUND_WITHIN = 60_000;

type Span = { startedAt: string; lastActivityAt: string };

/**
 * The server's clock goes back by an hour during work, and is corrected later: every turn is kept, event numbers keep
 * rising, scheduled jobs run, and no thread ends before it starts.
 */
export const clockBack: Fault = async ({ random, chat, calls: count }) => {
  await using server = await startServerProcess({
    env: QUIET,
    nodeOptions: ['--import', new URL('./shift-clock.mjs', import.meta.url).href],
  });
  const calls = planCalls(random, chat, 1, count);
  const userId = calls[0]?.userId ?? '';
  await using subscriber = subscribe(() => server, userId);
  const seen = await persist(
    () => server,
    calls,
    (acknowledged) => {
      if (acknowledged === Math.floor(count / 2)) server.kill('SIGUSR2');
    },
  );
  const userIds = [...new Set(calls.map((call) => call.userId))];
  const found = Promise.all(userIds.map((each) => untilFound(server, each))).then(() => true);
  const inTime = await Promise.race([found, delay(FOUND_WITHIN, false, { ref: false })]);
  // The check uses this process's clock, by which all jobs of the server would be due.
  server.kill('SIGUSR2');
  const problems = [
    ...seen.problems,
    ...(inTime ? [] : ['turns are not found while the clock is behind']),
    ...(await checkSettled(server, seen.sent, random)),
    ...(await checkSeen(subscriber, server, userId)),
  ];
  let threads = 0;
  let returns = 0;
  for (const each of userIds) {
    const spans = await readAll<Span>(server, each, {
      field: 'threads',
      fields: 'startedAt lastActivityAt',
    });
    const negative = spans.filter(({ startedAt, lastActivityAt }) => lastActivityAt < startedAt);
    if (negative.length > 0) problems.push(`${negative.length} threads end before they start`);
    threads += spans.length;
    const events = await readAll<{ at: string }>(server, each, {
      field: 'events',
      first: 50,
      fields: 'at',
    });
    returns += events.filter(({ at }, place) => at < (events[place - 1]?.at ?? '')).length;
  }
  return {
    checked: {
      calls: seen.sent.length,
      events: subscriber.numbers.length,
      threads,
      returns,
    },
    problems,
  };
};
