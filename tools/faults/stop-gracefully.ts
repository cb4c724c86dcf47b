import pg from 'pg';
import { createScratchDatabase } from '../support/scratch-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { planCalls } from './crash-test/plan.ts';
import { type Fault, QUIET } from './fault.ts';
import { persist } from './persist.ts';
import { checkSettled } from './settled.ts';
import { checkSeen, subscribe } from './subscriber.ts';

const STOPS_WITHIN = 10;
/** The close code "going away", after which clients resume. */
const RESUMABLE = 1001;

/** One of two servers gets SIGTERM under load: it exits in time and leaves no leases, and the other one goes on. */
export const stopGracefully: Fault = async ({ cluster, random, chat, calls: count }) => {
  await using database = await createScratchDatabase(cluster.url);
  const env = { ...QUIET, DATABASE_URL: database.url };
  await using first = await startServerProcess({ env });
  await using second = await startServerProcess({ env, apiKey: first.apiKey });
  const calls = planCalls(random, chat, 1, count);
  const userId = calls[0]?.userId ?? '';
  let stopped = false;
  const current = () => (stopped ? second : first);
  await using subscriber = subscribe(current, userId);
  const problems: string[] = [];
  let held = Promise.resolve();
  const seen = await persist(current, calls, (acknowledged) => {
    if (acknowledged !== Math.floor(count / 2)) return;
    const started = performance.now();
    stopped = true;
    first.kill('SIGTERM');
    held = first.exited.then(async ({ code, signal }) => {
      const seconds = (performance.now() - started) / 1000;
      if (code !== 0) problems.push(`the server ended with ${signal ?? `code ${code}`}`);
      if (seconds > STOPS_WITHIN) problems.push(`the server took ${seconds.toFixed(1)} s to end`);
      const left = await stepsHeldBy(database.url, first.pid);
      if (left > 0) problems.push(`${left} steps are still leased by the server that stopped`);
    });
  });
  await held;
  problems.push(
    ...seen.problems,
    ...(await checkSettled(second, seen.sent, random)),
    ...(await checkSeen(subscriber, second, userId)),
  );
  if (seen.unanswered > 0) problems.push(`${seen.unanswered} requests were left without an answer`);
  const resumable = subscriber.closes.filter(({ code }) => code === RESUMABLE).length;
  return {
    checked: { calls: seen.sent.length, events: subscriber.numbers.length, resumable },
    problems,
  };
};

async function stepsHeldBy(url: string, pid: number): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query('SELECT FROM jobs WHERE locked_by LIKE $1', [`${pid}-%`]);
    return rows.length;
  } finally {
    await client.end();
  }
}
