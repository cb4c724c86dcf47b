import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Memory } from '@mnemograph/client';
import { Command } from 'commander';
import { startWorker } from '../jobs/worker.ts';
import { PACKAGE_FOLDER } from '../shared/code-folder.ts';
import { askMemory, type DemoHit } from './demo/ask.ts';
import { correct } from './demo/correct.ts';
import { liveThrough } from './demo/live-through.ts';
import { openDemo } from './demo/open-demo.ts';
import { broughtUpTo, readSample, type Sample } from './demo/sample.ts';
import { countOption } from './support/count-option.ts';
import { untilFound } from './support/memory-client.ts';
import { runCommand } from './support/run-command.ts';

// Starts a server whose database is in memory only, lives through conversations with it by the public API and recalls
// from them. Exits with code 1 when an expected answer is not among the first three hits.

const SHOWN = 3;
const SAMPLE = new URL('examples/sample-conversation.json', PACKAGE_FOLDER);

type Options = { open?: true; port?: number };

await new Command('npm run demo --')
  .description(
    'Fills a memory with six weeks of talk, in a server of its own that keeps nothing on disk, and recalls from it. With a ' +
      'terminal, the server stays open until Ctrl+C, for the console.',
  )
  .argument('[file]', 'another conversation, in the form of examples/sample-conversation.json')
  .option('--open', 'leave the server open also without a terminal')
  .option('--port <number>', 'the port of the server; by default any that is free', countOption)
  .showHelpAfterError()
  .action((file: string | undefined, options: Options) => runCommand(() => run(file, options)))
  .parseAsync();

async function run(file: string | undefined, { open, port = 0 }: Options): Promise<void> {
  const read = readSample(await readFile(file ?? SAMPLE, 'utf8'), file ?? 'the sample');
  const sample = broughtUpTo(read, new Date());
  const seconds = stopwatch();
  await using demo = await openDemo(port);
  const { memory, clock } = demo;
  console.log(`A server in memory, without an API key: ready after ${seconds()} s\n`);

  let turns = 0;
  for await (const { channel, thread, count, first } of liveThrough(memory, sample, clock)) {
    turns += count;
    const where = thread ? `thread "${thread}"` : 'thread chosen by inactivity';
    console.log(
      `  ${day(first)}  ${channel.padEnd(8)}  ${String(count).padStart(2)} turns  ${where}`,
    );
  }
  await correct(memory);
  clock.toPresent();
  await clock.rest();
  console.log(`\n${turns} turns are stored and understood after ${seconds()} s`);
  await untilFound(memory, 'local');

  const missed = await askAll(memory, sample.questions);
  const found = sample.questions.length - missed;
  console.log(
    `\n${found} of ${sample.questions.length} expected answers are among the first ${SHOWN} hits, after ${seconds()} s`,
  );
  if (missed > 0) process.exitCode = 1;
  if (!open && !process.stdout.isTTY) return;
  await using _worker = await startWorker(demo.ctx);
  console.log(`\nThe console:  ${demo.console}\nThe graph:    ${demo.url}`);
  console.log('Ctrl+C ends the server. It keeps nothing.');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

/** @returns how many expected answers were not found */
async function askAll(memory: Memory, questions: Sample['questions']): Promise<number> {
  let missed = 0;
  for (const question of questions) {
    const hits = await askMemory(memory, question.query, SHOWN);
    console.log(`\n? ${question.query}`);
    hits.forEach((hit, index) => {
      const expected = hit.text.includes(question.expect);
      console.log(`${expected ? ' ✓' : '  '}${index + 1}. ${hit.text}\n      ${origin(hit)}`);
    });
    if (hits.some((hit) => hit.text.includes(question.expect))) continue;
    missed += 1;
    console.log(`  ✗ no hit contains the expected "${question.expect}"`);
  }
  return missed;
}

function origin({ speaker, channel, occurredAt, score, found }: DemoHit): string {
  return `${speaker} · ${channel} · ${day(occurredAt)} · score ${score.toFixed(2)} · ${found}`;
}

function day(at: string): string {
  return new Date(at).toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
  });
}

function stopwatch(): () => string {
  const start = performance.now();
  return () => ((performance.now() - start) / 1000).toFixed(1);
}
