import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { rememberTurns, untilSettled } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { BUILT_IN_MODEL } from '../../src/domain/core/embedding-profile.ts';
import { DAY, MINUTE } from '../../src/shared/duration.ts';
import { createChatTexts } from '../support/chat-texts.ts';
import { loadAverage, runInFlight } from '../support/measure.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { createScratchPlace } from '../support/scratch-place.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { meanStepMs } from './step-times.ts';

type Options = { databaseUrl?: string; threads: number };

const USER = 'linker';
/** So many of the threads begin on the same day; the others are a day apart. */
const SAME_DAY = 0.45;
const NEW_THREADS = 5;
const IN_FLIGHT = 8;

await runCommand(() =>
  new Command('npm run bench:linking --')
    .description('Measures how long a new thread of a user with many others takes to be linked.')
    .option(
      '--database-url <url>',
      'PostgreSQL server on which to create a database; else embedded',
    )
    .option('--threads <count>', 'threads with which new ones are compared', countOption, 1_000)
    .action(measure)
    .parseAsync(),
);

async function measure({ databaseUrl, threads }: Options): Promise<void> {
  await using place = await createScratchPlace(databaseUrl);
  await using server = await startServerProcess({ env: place.env });
  const open = threadsOf(server, Date.now() - (threads + 1) * DAY);
  const sameDay = Math.round(threads * SAME_DAY);
  const start = performance.now();
  {
    using opened = showProgress('threads', threads);
    await runInFlight(threads, IN_FLIGHT, async (index) => {
      await (index < sameDay ? open(threads, index) : open(index - sameDay, 0));
      opened.add(1);
    });
  }
  await untilSettled(server, [USER]);
  const settledSeconds = (performance.now() - start) / 1_000;
  const before = await meanStepMs(server, 'link-threads');
  for (let index = 0; index < NEW_THREADS; index += 1) {
    await open(threads, sameDay + index);
    await untilSettled(server, [USER]);
  }
  const linkThreadMs = (await meanStepMs(server, 'link-threads')).since(before);

  const setting = await describeSetting('made-up chat messages', BUILT_IN_MODEL, databaseUrl);
  printSetting(setting);
  printTable([
    [`${threads} threads until all is derived, s`, settledSeconds.toFixed(1)],
    [`linking a thread with ${threads} others, ms`, linkThreadMs.toFixed(0)],
    ['load average', loadAverage()],
  ]);
  printResult({ linkThreadMs, settledSeconds, threads, loadAverage: loadAverage(), ...setting });
}

/** Opens threads of two turns, each on a day, and in a minute of it, after `begin`. */
function threadsOf(server: ServerProcess, begin: number) {
  const texts = createChatTexts(7);
  return (day: number, minute: number) =>
    rememberTurns(
      server,
      USER,
      'web',
      ['USER', 'ASSISTANT'].map((role, turn) => ({
        role,
        text: texts.turn(),
        occurredAt: new Date(begin + day * DAY + minute * MINUTE + turn * 10_000).toISOString(),
      })),
      { title: `Matter ${day}.${minute}` },
    );
}
