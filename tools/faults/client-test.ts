import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { CommandFailed, runCommand } from '../../src/cli/support/run-command.ts';
import { launchBrowser, NO_BROWSER } from '../support/browser.ts';
import { loadAverage } from '../support/measure.ts';
import { seededRandom } from '../support/random.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { followThroughKills } from './client-test/follow-kills.ts';

// Kills the server while clients in Node.js and in Chromium follow the events of a memory: they may miss none, and see
// none twice.

const options = new Command('npm run test:client --')
  .option('--kills <count>', 'how often to kill the server', countOption, 20)
  .option('--events <count>', 'how many events to have at least', countOption, 1_000)
  .option('--database-url <url>', 'PostgreSQL server on which to create a database; else embedded')
  .option('--seed <number>', 'repeats the moments of an earlier run with this seed', countOption)
  .parse()
  .opts<{ kills: number; events: number; databaseUrl?: string; seed?: number }>();

await runCommand(async () => {
  const { kills, events, databaseUrl, seed = randomInt(1, 2 ** 31) } = options;
  const setting = await describeSetting('made up', 'built-in', databaseUrl);
  printSetting(setting);
  const browser = await launchBrowser();
  if (!browser) throw new CommandFailed(NO_BROWSER);
  const began = performance.now();
  try {
    const random = seededRandom(seed);
    const seen = await followThroughKills({
      kills,
      events,
      random,
      browser,
      databaseUrl,
      onKill: (kill) => console.log(`kill ${kill} of ${kills}`),
    });
    printTable([
      ['', 'events', 'missed', 'doubled', 'connections'],
      ...seen.map(({ name, events: happened, missed, doubled, opened }) => [
        name,
        happened,
        missed,
        doubled,
        opened,
      ]),
    ]);
    const minutes = (performance.now() - began) / 60_000;
    printResult({
      command: 'test:client',
      kills,
      seen,
      minutes,
      seed,
      load: loadAverage(),
      ...setting,
    });
    if (seen.some(({ missed, doubled }) => missed + doubled > 0)) process.exitCode = 1;
  } finally {
    await browser.close();
  }
});
