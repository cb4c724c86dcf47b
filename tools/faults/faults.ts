import { randomInt } from 'node:crypto';
import { Command, Option } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { createChatTexts } from '../support/chat-texts.ts';
import { loadAverage, timed } from '../support/measure.ts';
import { seededRandom } from '../support/random.ts';
import { describeSetting, printResult, printSetting } from '../support/report.ts';
import { clockBack } from './clock-back.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { Fault, Finding } from './fault.ts';
import { fullDisk, fullDiskAtOnce } from './full-disk.ts';
import { kill } from './kill.ts';
import { modelAway, modelHangs } from './model-away.ts';
import { race } from './race.ts';
import { restartDatabase } from './restart-database.ts';
import { stopGracefully } from './stop-gracefully.ts';

// Causes faults as they happen in production, on separate server processes, and checks the data afterwards.

const SHOWN_PROBLEMS = 20;

const FAULTS: Record<string, { fault: Fault; calls: number; short: number }> = {
  'restart-database': { fault: restartDatabase, calls: 1_200, short: 60 },
  'stop-gracefully': { fault: stopGracefully, calls: 1_200, short: 60 },
  race: { fault: race, calls: 600, short: 40 },
  kill: { fault: kill, calls: 400, short: 0 },
  'model-away': { fault: modelAway, calls: 120, short: 0 },
  'model-hangs': { fault: modelHangs, calls: 60, short: 0 },
  'full-disk': { fault: fullDisk, calls: 150, short: 0 },
  'full-disk-at-once': { fault: fullDiskAtOnce, calls: 150, short: 0 },
  'clock-back': { fault: clockBack, calls: 150, short: 0 },
};

const options = new Command('npm run test:faults --')
  .addOption(new Option('--only <faults...>', 'run only these').choices(Object.keys(FAULTS)))
  .option('--short', 'fewer calls, without the slow faults', false)
  .option('--seed <number>', 'repeats the calls of an earlier run with this seed', countOption)
  .parse()
  .opts<{ only?: string[]; short: boolean; seed?: number }>();

await runCommand(async () => {
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  await using cluster = await startCluster();
  const setting = await describeSetting('made up', 'built-in', cluster.url);
  printSetting(setting);
  console.log(`--seed ${seed}\n`);
  const results: { fault: string; seconds: number; problems: number; unchecked: boolean }[] = [];
  for (const [name, { fault, calls, short }] of Object.entries(FAULTS)) {
    const count = options.short ? short : calls;
    if (count === 0 || (options.only && !options.only.includes(name))) continue;
    const { ms, result } = await timed(() => tryFault(fault, cluster, seed, count));
    print(name, ms / 1000, result);
    const problems = result.problems.length;
    const unchecked = result.unchecked !== undefined;
    results.push({ fault: name, seconds: ms / 1000, problems, unchecked });
  }
  const failed = results.filter(({ problems }) => problems > 0).length;
  const unchecked = results.filter((result) => result.unchecked).length;
  console.log();
  printResult({ command: 'test:faults', results, seed, load: loadAverage(), ...setting });
  console.log(
    `${results.length - failed - unchecked} passed, ${failed} failed, ${unchecked} not checked`,
  );
  if (failed > 0 || results.length === 0) process.exitCode = 1;
});

/** Runs a fault. One that checks nothing or breaks off has failed. */
async function tryFault(
  fault: Fault,
  cluster: Cluster,
  seed: number,
  calls: number,
): Promise<Finding> {
  try {
    const setting = { cluster, random: seededRandom(seed), chat: createChatTexts(seed), calls };
    const found = await fault(setting);
    if (found.unchecked !== undefined) return found;
    const { checked, problems } = found;
    const idle = Object.entries(checked).filter(([, count]) => count === 0);
    return { checked, problems: [...problems, ...idle.map(([what]) => `${what}: none were seen`)] };
  } catch (error) {
    return {
      checked: {},
      problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    };
  }
}

function print(name: string, seconds: number, finding: Finding): void {
  const { checked, problems, unchecked } = finding;
  if (unchecked !== undefined) {
    console.log(`${name.padEnd(18)} NOT CHECKED: ${unchecked}`);
    return;
  }
  const counts = Object.entries(checked).map(([what, count]) => `${count} ${what}`);
  console.log(
    `${name.padEnd(18)} ${problems.length === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s: ${counts.join(', ')}`,
  );
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(`     ${problem}`);
  const more = problems.length - SHOWN_PROBLEMS;
  if (more > 0) console.log(`     and ${more} more`);
}
