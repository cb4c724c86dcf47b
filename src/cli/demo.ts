import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createMemory } from '@mnemograph/client';
import { createApp } from '../app.ts';
import { loadConfig } from '../config/config.ts';
import { startServer } from '../http/server.ts';
import { startWorker } from '../jobs/worker.ts';
import { ask, type Hit } from './demo/ask.ts';
import { readSample } from './demo/sample.ts';
import { tell } from './demo/tell.ts';
import { untilFound } from './support/memory-client.ts';
import { runCommand } from './support/run-command.ts';

// Starts a server whose database is in memory only, sends it conversations through the public API and
// recalls from them. Exits with code 1 when an expected answer is not among the first three hits.

const SHOWN = 3;
const SAMPLE = new URL('../../examples/sample-conversation.json', import.meta.url);

await runCommand(async () => {
  const [file] = parseArgs({ allowPositionals: true }).positionals;
  const sample = readSample(await readFile(file ?? SAMPLE, 'utf8'), file ?? 'the sample');
  const seconds = stopwatch();

  const config = loadConfig({ DATA_DIR: 'memory', PORT: '0', LOG_LEVEL: 'warn' });
  await using ctx = await createApp(config);
  await using server = await startServer(ctx);
  await using _worker = await startWorker(ctx);
  const memory = createMemory({ url: server.url });
  console.log(`A server in memory, without an API key: ready after ${seconds()} s\n`);

  let turns = 0;
  for await (const { channel, thread, count, first } of tell(memory, sample)) {
    turns += count;
    const where = thread ? `thread "${thread}"` : 'thread chosen by inactivity';
    console.log(
      `  ${day(first)}  ${channel.padEnd(8)}  ${String(count).padStart(2)} turns  ${where}`,
    );
  }
  console.log(`\n${turns} turns are stored after ${seconds()} s`);
  await untilFound(memory, 'local');
  console.log(`and can be found by keywords and by semantic similarity after ${seconds()} s`);

  let missed = 0;
  for (const question of sample.questions) {
    const hits = await ask(memory, question.query, SHOWN);
    console.log(`\n? ${question.query}`);
    hits.forEach((hit, index) => {
      const expected = hit.text.includes(question.expect);
      console.log(`${expected ? ' ✓' : '  '}${index + 1}. ${hit.text}\n      ${origin(hit)}`);
    });
    if (hits.some((hit) => hit.text.includes(question.expect))) continue;
    missed += 1;
    console.log(`  ✗ no hit contains the expected "${question.expect}"`);
  }
  console.log(
    `\n${sample.questions.length - missed} of ${sample.questions.length} expected answers are among the first ${SHOWN} hits, after ${seconds()} s`,
  );
  if (missed > 0) process.exitCode = 1;
});

function origin({ speaker, channel, occurredAt, score, found }: Hit): string {
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
