import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { createChatTexts } from '../support/chat-texts.ts';
import { loadAverage, spreadOf } from '../support/measure.ts';
import { pickOne, seededRandom } from '../support/random.ts';
import { describeSetting, printResult, printSetting } from '../support/report.ts';
import { makeServerPlace } from '../support/restartable-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { MOMENTS } from './crash-test/ending.ts';
import { planCalls } from './crash-test/plan.ts';
import { checkMemories, type Round, readMemories, runRound } from './crash-test/round.ts';

// Kills the server during work, start and stop, again and again on the same data, and checks what is left: nothing
// acknowledged may be lost, duplicated or skipped by the background work, and nothing forgotten may come back.

const SHOWN_PROBLEMS = 20;
/** How often to kill the server while it creates its tables, before anything is sent. */
const WHILE_MIGRATING = 2;
const MIGRATED_WITHIN = 5_000;

const options = new Command('npm run test:crash --')
  .option('--rounds <count>', 'how often to kill the server and check its data', countOption, 20)
  .option('--calls <count>', 'calls of remember before each kill', countOption, 1000)
  .option('--kills <count>', 'kills in each round, before its check', countOption, 1)
  .option('--parallel <count>', 'servers at a time, each with its own data', countOption, 1)
  .option('--database-url <url>', 'PostgreSQL server on which to create databases; else embedded')
  .option('--minutes <count>', 'starts no further kill after this many minutes', countOption)
  .option(
    '--seed <number>',
    'repeats the calls and moments of an earlier run with this seed',
    countOption,
  )
  .parse()
  .opts<{
    rounds: number;
    calls: number;
    kills: number;
    parallel: number;
    databaseUrl?: string;
    seed?: number;
    minutes?: number;
  }>();

const rounds: Round[] = [];
let broken = 0;
const began = performance.now();
let isStopped = false;
/** Whether the run was interrupted or is out of time. What was sent so far is still checked and reported. */
const isOver = () =>
  isStopped || performance.now() - began > (options.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal prints the results so far.
    if (isOver()) {
      summarize();
      process.exit();
    }
    isStopped = true;
  });
}

const seed = options.seed ?? randomInt(1, 2 ** 31);
const setting = await describeSetting('made up', 'built-in', options.databaseUrl);

await runCommand(async () => {
  printSetting(setting);
  console.log(
    `${options.rounds} rounds of ${options.kills} x ${options.calls} calls, --seed ${seed}\n`,
  );
  const numbers = Array.from({ length: options.rounds }, (_, index) => index + 1).values();
  try {
    const lanes = Array.from({ length: options.parallel }, (_, lane) =>
      runLane(numbers, seed + lane),
    );
    await Promise.all(lanes);
  } finally {
    summarize();
  }
});

/** Runs rounds on its own data until none are left. */
async function runLane(numbers: Iterator<number>, seed: number): Promise<void> {
  await using place = await makeServerPlace(options.databaseUrl);
  const random = seededRandom(seed);
  const chat = createChatTexts(seed);
  const own: Round[] = [];
  for (let count = 0; count < WHILE_MIGRATING; count += 1) {
    await place.killWhileStarting(random() * MIGRATED_WITHIN);
  }
  let server = await place.start();
  try {
    while (!isOver()) {
      const next = numbers.next();
      if (next.done) break;
      const plan = {
        parts: Array.from({ length: options.kills }, (_, part) =>
          planCalls(random, chat, `${next.value}.${part}`, options.calls),
        ),
        moments: Array.from({ length: options.kills }, () => pickOne(random, MOMENTS)),
        withActs: true,
        isOver,
      };
      const result = await runRound({ place, server }, plan, random).catch(brokeOff);
      if (!result) {
        server = await place.start();
        continue;
      }
      server = result.server;
      // Data that passed a check must stay correct.
      if (own.length > 0)
        result.round.problems.push(...(await check(server, pickOne(random, own))));
      own.push(result.round);
      rounds.push(result.round);
      printRound(next.value, result.round);
    }
    for (const round of own) {
      const late = await check(server, round);
      printProblems('at the end', late);
      round.problems.push(...late);
    }
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** Counts a round that broke off as failed. Others may follow. */
function brokeOff(error: unknown): null {
  console.log(`     a round broke off: ${error instanceof Error ? error.stack : error}`);
  broken += 1;
  return null;
}

async function check(server: ServerProcess, { sent, acts }: Round): Promise<string[]> {
  return checkMemories(await readMemories(server, sent), sent, true, acts);
}

function printRound(number: number, round: Round): void {
  const { kills, acknowledged, unanswered, kept, upAfter, indexedAfter, problems, acts } = round;
  const between = `${acts.forgets.length} forgets, ${acts.closed.length} closed, ${acts.facts.length} facts, ${acts.imports.length} imports`;
  const verdict = problems.length === 0 ? 'passed' : 'FAILED';
  const answers = `${acknowledged} answers (${between}), ${unanswered} more on the way (${kept} of them stored)`;
  const times = `up after ${spreadOf(upAfter).median.toFixed(1)} s, indexed ${indexedAfter.toFixed(1)} s later`;
  console.log(`${String(number).padStart(3)}: ${verdict}  ${kills} kills, ${answers}; ${times}`);
  printProblems(`in round ${number}`, problems);
}

function printProblems(where: string, problems: readonly string[]): void {
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(`     ${problem}`);
  const more = problems.length - SHOWN_PROBLEMS;
  if (more > 0) console.log(`     and ${more} more ${where}`);
}

function summarize(): void {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, each) => total + of(each), 0);
  const passed = rounds.filter(({ problems }) => problems.length === 0).length;
  const failed = rounds.length - passed + broken;
  const isCutShort = isOver();
  console.log();
  printResult({
    command: 'test:crash',
    passed,
    failed,
    left: options.rounds - rounds.length - broken,
    kills: sum((round) => round.kills) + WHILE_MIGRATING * options.parallel,
    calls: options.calls,
    acknowledged: sum((round) => round.acknowledged),
    unanswered: sum((round) => round.unanswered),
    unansweredStored: sum((round) => round.kept),
    turns: sum((round) => round.turns),
    forgets: sum(({ acts }) => acts.forgets.length),
    closed: sum(({ acts }) => acts.closed.length),
    facts: sum(({ acts }) => acts.facts.length),
    imports: sum(({ acts }) => acts.imports.length),
    problems: sum((round) => round.problems.length),
    upAfterSeconds: spreadOf(rounds.flatMap(({ upAfter }) => upAfter)),
    indexedAfterSeconds: spreadOf(rounds.map(({ indexedAfter }) => indexedAfter)),
    minutes: (performance.now() - began) / 60_000,
    parallel: options.parallel,
    seed,
    load: loadAverage(),
    ...setting,
  });
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0 || (rounds.length < options.rounds && !isCutShort)) process.exitCode = 1;
}
