import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { importTurns, recallTurns, untilSettled } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { BUILT_IN_MODEL } from '../../src/domain/core/embedding-profile.ts';
import { loadAverage, median, quantile, timed } from '../support/measure.ts';
import { processorTimes, THREADS } from '../support/processor-times.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { residentMegabytes } from '../support/resident-memory.ts';
import { createScratchPlace } from '../support/scratch-place.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { madeUpMemories } from './bench-memories.ts';
import { FIRST } from './bench-queries.ts';

type Options = {
  databaseUrl?: string;
  turns: number;
  idleSeconds: number;
};

const WARM_UP = 200;
const RECALLS = 200;
/**
 * How long a server is left alone before it counts as idle: its threads still compile and collect garbage, and those of the
 * language rules end after two and five minutes without work.
 */
const SETTLE = 330_000;

await runCommand(() =>
  new Command('npm run bench:server --')
    .description('Measures how fast a server starts, what it needs at rest and with a full memory.')
    .option(
      '--database-url <url>',
      'PostgreSQL server on which to create a database; else embedded',
    )
    .option('--turns <count>', 'turns that one user imports at once', countOption, 10_000)
    .option('--idle-seconds <count>', 'how long to watch the idle server', countOption, 30)
    .action(measure)
    .parseAsync(),
);

async function measure(options: Options): Promise<void> {
  const { databaseUrl, turns } = options;
  await using place = await createScratchPlace(databaseUrl);
  const empty = await whileRunning(place.env, undefined, async (server, started) => ({
    apiKey: server.apiKey,
    found: {
      firstStartSeconds: await secondsToRecall(server, started),
      ...(await atRest(server, options.idleSeconds)),
    },
  }));
  const full = await whileRunning(place.env, empty.apiKey, (server) => withMemory(server, turns));
  const secondStartSeconds = await whileRunning(place.env, empty.apiKey, secondsToRecall);

  const result = { ...empty.found, ...full, secondStartSeconds };
  const setting = await describeSetting('made-up chat messages', BUILT_IN_MODEL, databaseUrl);
  printSetting(setting);
  printTable([
    ['empty folder or database to first answered recall, s', result.firstStartSeconds.toFixed(2)],
    ['resident memory at rest, MB', result.idleMegabytes.toFixed(0)],
    ['processor at rest, % of a core', result.idlePercent.toFixed(2)],
    [`import of ${turns} turns until all is derived, s`, result.importSeconds.toFixed(1)],
    [`recall among ${turns} turns, p50 ms`, result.recallP50Ms.toFixed(2)],
    ['p95 ms', result.recallP95Ms.toFixed(2)],
    ['resident memory afterwards, MB', result.fullMegabytes.toFixed(0)],
    ['the same at rest, MB', result.fullAtRestMegabytes.toFixed(0)],
    [`start with ${turns} turns to first answered recall, s`, secondStartSeconds.toFixed(2)],
    ['load average', loadAverage()],
  ]);
  printResult({ ...result, turns, loadAverage: loadAverage(), ...setting });
}

/** Starts a server on a place, and stops it after the work. @param work is also told when the start began */
async function whileRunning<T>(
  env: Record<string, string>,
  apiKey: string | undefined,
  work: (server: ServerProcess, started: number) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  await using server = await startServerProcess({ env, ...(apiKey && { apiKey }) });
  return await work(server, started);
}

async function secondsToRecall(server: ServerProcess, started: number): Promise<number> {
  await recallTurns(server, {
    userId: 'importer-1',
    query: 'What did we talk about?',
    first: FIRST,
  });
  return (performance.now() - started) / 1_000;
}

/** The memory and processor time of a server that nobody uses. */
async function atRest(server: ServerProcess, seconds: number) {
  await delay(SETTLE);
  const before = await processorTimes(server);
  await delay(seconds * 1_000);
  const milliseconds = (await processorTimes(server)).since(before, 1);
  const busy = THREADS.reduce((sum, kind) => sum + milliseconds[kind], 0);
  return { idleMegabytes: residentMegabytes(server.pid), idlePercent: busy / seconds / 10 };
}

/** Imports a long conversation, waits until everything is derived from it, and asks. */
async function withMemory(server: ServerProcess, turns: number) {
  const [memory] = madeUpMemories(1, turns, 'importer');
  if (!memory) throw new Error('No memory was made up.');
  const { userId, questions } = memory;
  const start = performance.now();
  {
    using stored = showProgress('turns remembered', turns);
    await importTurns(server.memory.as(userId), null, memory.turns, stored.add);
  }
  await untilSettled(server, [userId]);
  const importSeconds = (performance.now() - start) / 1_000;
  const ask = async (index: number) =>
    await recallTurns(server, {
      userId,
      // A new text each time, so that its vector is not cached.
      query: `${questions[index % questions.length]} (${index})`,
      first: FIRST,
    });
  for (let index = 0; index < WARM_UP; index += 1) await ask(index);
  const times: number[] = [];
  for (let index = 0; index < RECALLS; index += 1) {
    times.push((await timed(() => ask(WARM_UP + index))).ms);
  }
  const fullMegabytes = residentMegabytes(server.pid);
  await delay(SETTLE);
  return {
    importSeconds,
    recallP50Ms: median(times),
    recallP95Ms: quantile(times, 0.95),
    fullMegabytes,
    fullAtRestMegabytes: residentMegabytes(server.pid),
  };
}
