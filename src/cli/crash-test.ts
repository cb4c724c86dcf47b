import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { createChatTexts } from './chat-texts.ts';
import { countOption } from './count-option.ts';
import { planCalls } from './crash-test/plan.ts';
import { checkMemories, type Round, readMemories, runRound } from './crash-test/round.ts';
import { loadAverage, spreadOf } from './measure.ts';
import { seededRandom } from './random.ts';
import { describeSetting, printResult, printSetting } from './report.ts';
import { makeServerPlace } from './restartable-server.ts';
import { runCommand } from './run-command.ts';

// Kills the server in the middle of its work, again and again on the same data, and counts what is
// left: nothing acknowledged may be lost, doubled or forgotten by the background work.

const SHOWN_PROBLEMS = 20;

const options = new Command('npm run test:crash --')
  .option('--rounds <count>', 'how often to kill the server', countOption, 20)
  .option('--calls <count>', 'calls of remember in a round', countOption, 1000)
  .option('--database-url <url>', 'PostgreSQL server to make a database on; else embedded')
  .option('--seed <number>', 'repeats the calls and moments of an earlier run', countOption)
  .parse()
  .opts<{ rounds: number; calls: number; databaseUrl?: string; seed?: number }>();

await runCommand(async () => {
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  const setting = await describeSetting('made up', 'built-in', options.databaseUrl);
  printSetting(setting);
  console.log(`${options.rounds} rounds of ${options.calls} calls, --seed ${seed}\n`);

  await using place = await makeServerPlace(options.databaseUrl);
  const random = seededRandom(seed);
  const chat = createChatTexts(seed);
  const rounds: Round[] = [];
  let server = await place.start();
  try {
    for (let number = 1; number <= options.rounds; number += 1) {
      const calls = planCalls(random, chat, number, options.calls);
      const result = await runRound(server, place.start, calls, random);
      server = result.server;
      rounds.push(result.round);
      printRound(number, result.round);
    }
    const all = rounds.flatMap(({ sent }) => sent);
    const late = checkMemories(await readMemories(server, all), all, true);
    printProblems('at the end', late);
    rounds.at(-1)?.problems.push(...late);
  } finally {
    await server[Symbol.asyncDispose]();
    summarize(seed, setting, rounds);
  }
});

function printRound(number: number, round: Round): void {
  const { acknowledged, unanswered, kept, upAfter, indexedAfter, problems } = round;
  console.log(
    `${String(number).padStart(3)}: ${problems.length === 0 ? 'passed' : 'FAILED'}  killed after ${acknowledged} answers, ${unanswered} more on the way (${kept} of them stored); up after ${upAfter.toFixed(1)} s, indexed ${indexedAfter.toFixed(1)} s later`,
  );
  printProblems(`in round ${number}`, problems);
}

function printProblems(where: string, problems: readonly string[]): void {
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(`     ${problem}`);
  const more = problems.length - SHOWN_PROBLEMS;
  if (more > 0) console.log(`     and ${more} more ${where}`);
}

function summarize(seed: number, setting: object, rounds: readonly Round[]): void {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, each) => total + of(each), 0);
  const passed = rounds.filter(({ problems }) => problems.length === 0).length;
  const failed = options.rounds - passed;
  console.log();
  printResult({
    command: 'test:crash',
    passed,
    failed,
    calls: options.calls,
    acknowledged: sum((round) => round.acknowledged),
    unanswered: sum((round) => round.unanswered),
    unansweredStored: sum((round) => round.kept),
    turns: sum((round) => round.turns),
    problems: sum((round) => round.problems.length),
    upAfterSeconds: spreadOf(rounds.map(({ upAfter }) => upAfter)),
    indexedAfterSeconds: spreadOf(rounds.map(({ indexedAfter }) => indexedAfter)),
    seed,
    load: loadAverage(),
    ...setting,
  });
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
