import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { type ClosedSegment, untilSettled } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { CommandFailed, runCommand } from '../../src/cli/support/run-command.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { startServerProcess } from '../support/server-process.ts';
import { DECISIONS, type LabelledCapture, parseCaptures, scoreCaptures } from './capture-scores.ts';
import { lastDecisions, TOLD } from './last-decisions.ts';
import { tellAll } from './tell-all.ts';

type Options = { verbose?: boolean; databaseUrl?: string };

async function evaluate(file: string, { verbose = false, databaseUrl }: Options): Promise<void> {
  const conversations = await readCaptures(file);
  await using server = await startServerProcess({ databaseUrl });
  await tellAll(server, conversations, TOLD);
  {
    using done = showProgress('conversations captured', conversations.length);
    const users = conversations.map(({ id }) => id);
    await untilSettled(server, users, () => done.add(1));
  }
  const results = await lastDecisions(server, conversations);
  await using embedder = createBuiltInEmbedder();
  const setting = await describeSetting(basename(file), embedder.name, databaseUrl);
  printSetting(setting);
  const scores = scoreCaptures(results);
  printTable([
    ['labelled', ...DECISIONS],
    ...DECISIONS.map((labelled) => [
      labelled,
      ...DECISIONS.map((decided) => scores.byDecision[labelled][decided]),
    ]),
  ]);
  printTable([
    ['accuracy', 'conversations'],
    [scores.accuracy.toFixed(3), results.length],
  ]);
  for (const { id, labelled, decided, captured } of results) {
    if (verbose || labelled !== decided) printDecisions(id, labelled, captured);
  }
  printResult({ ...scores, conversations: results.length, ...setting });
}

async function readCaptures(file: string): Promise<LabelledCapture[]> {
  const text = await readFile(file, 'utf8');
  try {
    return parseCaptures(text);
  } catch (cause) {
    const shape = '{"id","turns":[…],"decision":"CREATE|MERGE|SKIP"}';
    throw new CommandFailed(`${file} holds no JSON lines of ${shape}.`, { cause });
  }
}

function printDecisions(id: string, labelled: string, captured: readonly ClosedSegment[]): void {
  console.log(`${id}, labelled ${labelled}`);
  for (const { firstTurn, lastTurn, capture, captureReason, captureSignals } of captured) {
    const figures = Object.entries(captureSignals ?? {}).map(
      ([name, value]) => `${name} ${value.toFixed(2)}`,
    );
    console.log(`  ${firstTurn}-${lastTurn} ${capture}, ${captureReason}: ${figures.join(', ')}`);
  }
}

await runCommand(() =>
  new Command('npm run eval:capture --')
    .description('Lets the server decide what becomes an episode, and compares with the labels.')
    .argument('<file>', 'JSON lines of conversations with the decision on the last segment')
    .option('--verbose', 'list every decision, not only the wrong ones')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .action(evaluate)
    .parseAsync(),
);
