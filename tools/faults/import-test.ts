import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { IMPORT_WITHIN, type PastTurn } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { CommandFailed, runCommand } from '../../src/cli/support/run-command.ts';
import { loadAverage } from '../support/measure.ts';
import { seededRandom } from '../support/random.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { residentMegabytes } from '../support/resident-memory.ts';
import { makeServerPlace } from '../support/restartable-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { planImport } from './import-test/plan.ts';
import { differences, resultOf } from './import-test/result.ts';

// Imports a long conversation of one user at once: undisturbed, to measure speed and size, and with kills, to check that
// they do not change the result.

const USER = 'importer';
const POLL_EVERY = 250;
const SHOWN = 10;
const PARTS = 10;

const options = new Command('npm run test:import --')
  .description('Imports a long conversation at once while the server is killed.')
  .option('--turns <count>', 'turns of the conversation, at most 20000', countOption, 20_000)
  .option('--kills <count>', 'how often to kill the server meanwhile', countOption, 10)
  .option('--database-url <url>', 'PostgreSQL server on which to create databases; else embedded')
  .option(
    '--seed <number>',
    'repeats the conversation and moments of an earlier run with this seed',
    countOption,
  )
  .parse()
  .opts<{ turns: number; kills: number; databaseUrl?: string; seed?: number }>();

type Run = { result: Map<string, string>; partSeconds: number[]; peakMegabytes: number };

const BACKLOG = `query Backlog($userId: String!) {
  user(userId: $userId) {
    turnCount
    backlog { turnsToIndex turnsToEmbed turnsToSegment turnsToCapture threadsToCompact }
  }
}`;
type Backlog = Record<
  'turnsToIndex' | 'turnsToEmbed' | 'turnsToSegment' | 'turnsToCapture' | 'threadsToCompact',
  number
>;

/** The number of fully processed turns, and whether no work is left. */
async function readProgress(server: ServerProcess): Promise<{ done: number; isOver: boolean }> {
  type Answer = { user: { turnCount: number; backlog: Backlog } | null };
  const { user } = await server.request<Answer>(BACKLOG, { userId: USER });
  if (!user) return { done: 0, isOver: false };
  const { threadsToCompact, turnsToSegment, turnsToCapture, ...others } = user.backlog;
  const left = Math.max(turnsToSegment + turnsToCapture, ...Object.values(others));
  const done = user.turnCount - left;
  return { done, isOver: done === options.turns && threadsToCompact === 0 };
}

/** Imports the conversation in a single call. @returns the error if that fails; stored turns stay */
const importAll = ({ memory }: ServerProcess, turns: readonly PastTurn[]): Promise<unknown> =>
  memory
    .as(USER)
    .importConversation({ self: 'Ada', turns: [...turns] }, { timeout: IMPORT_WITHIN })
    .catch((error: unknown) => error);

/** Imports turns and waits until they are processed. Kills the server each time as many turns are done as `kills` say. */
async function run(turns: readonly PastTurn[], kills: readonly number[]): Promise<Run> {
  await using place = await makeServerPlace(options.databaseUrl);
  let server = await place.start();
  let peakMegabytes = 0;
  const left = [...kills];
  const began = performance.now();
  const reached = [began];
  const name = kills.length > 0 ? 'turns done, with kills' : 'turns done';
  using shown = showProgress(name, turns.length);
  try {
    let sent = importAll(server, turns);
    for (;;) {
      await delay(POLL_EVERY);
      peakMegabytes = Math.max(peakMegabytes, residentMegabytes(server.pid));
      const { done, isOver } = await readProgress(server);
      shown.set(done);
      while (reached.length <= PARTS && done >= (turns.length / PARTS) * reached.length) {
        reached.push(performance.now());
      }
      if (isOver) break;
      if (left[0] === undefined || done < left[0]) continue;
      left.shift();
      server.kill('SIGKILL');
      await server.exited;
      await sent;
      await server[Symbol.asyncDispose]();
      server = await place.start();
      sent = importAll(server, turns);
    }
    const failed = await sent;
    if (failed instanceof Error) throw failed;
    const partSeconds = reached.slice(1).map((at, part) => (at - (reached[part] as number)) / 1000);
    return { result: await resultOf(server, USER), partSeconds, peakMegabytes };
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

await runCommand(async () => {
  if (options.turns > 20_000) throw new CommandFailed('One import takes at most 20000 turns.');
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  const setting = await describeSetting('made up', 'built-in', options.databaseUrl);
  printSetting(setting);
  console.log(`${options.turns} turns, ${options.kills} kills, --seed ${seed}\n`);
  const turns = planImport(seed, options.turns);
  const calm = await run(turns, []);
  const seconds = calm.partSeconds.reduce((sum, own) => sum + own, 0);
  printTable([
    ['part', ...calm.partSeconds.map((_, part) => part + 1)],
    ['seconds', ...calm.partSeconds.map((own) => own.toFixed(1))],
  ]);
  const random = seededRandom(seed);
  // The first kill is while the turns are still being received.
  const moments = Array.from({ length: options.kills }, (_, kill) =>
    kill === 0 ? 0 : Math.floor(random() * options.turns),
  ).sort((a, b) => a - b);
  const rough = options.kills > 0 ? await run(turns, moments) : calm;
  const different = differences(calm.result, rough.result);
  for (const place of different.slice(0, SHOWN)) console.log(`changed by the kills: ${place}`);
  printResult({
    command: 'test:import',
    turns: options.turns,
    kills: options.kills,
    episodes: calm.result.size,
    turnsPerSecond: options.turns / seconds,
    partSeconds: calm.partSeconds,
    lastToFirst: (calm.partSeconds.at(-1) ?? 0) / (calm.partSeconds[0] ?? 1),
    peakMegabytes: Math.max(calm.peakMegabytes, rough.peakMegabytes),
    changedByKills: different.length,
    seed,
    load: loadAverage(),
    ...setting,
  });
  if (different.length > 0) process.exitCode = 1;
});
