import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { createBuiltInEmbedder } from '../embedder/built-in.ts';
import { createExtractiveReasoner } from '../reasoner/extractive/extractive.ts';
import { type Captured, captureAsServed } from './capture-as-served.ts';
import {
  DECISIONS,
  type LabelledCapture,
  lastDecision,
  parseCaptures,
  scoreCaptures,
} from './capture-scores.ts';
import { showProgress } from './progress.ts';
import { describeSetting, printResult, printSetting, printTable } from './report.ts';
import { CommandFailed, runCommand } from './run-command.ts';

async function evaluate(file: string, { verbose = false }: { verbose?: boolean }): Promise<void> {
  const conversations = await readCaptures(file);
  await using embedder = createBuiltInEmbedder();
  const reasoner = createExtractiveReasoner({ embedder });
  const results = [];
  {
    using done = showProgress('conversations', conversations.length);
    for (const { id, turns, decision } of conversations) {
      const captured = await captureAsServed(turns, { reasoner, embedder, userId: id });
      results.push({ id, labelled: decision, decided: lastDecision(captured), captured });
      done.add(1);
    }
  }
  const setting = {
    ...(await describeSetting(basename(file), embedder.name, undefined)),
    database: 'none',
  };
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

function printDecisions(id: string, labelled: string, captured: readonly Captured[]): void {
  console.log(`${id}, labelled ${labelled}`);
  for (const { first, last, status, reason, scores } of captured) {
    const figures = Object.entries(scores).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    console.log(`  ${first}-${last} ${status}, ${reason}: ${figures.join(', ')}`);
  }
}

await runCommand(() =>
  new Command('npm run eval:capture --')
    .description('Decides which talk becomes an episode, and compares (see evaluation.md).')
    .argument('<file>', 'JSON lines of conversations and the decision on the last segment of each')
    .option('--verbose', 'list every decision, not only the wrong ones')
    .option('--database-url <url>', 'taken as by the other commands; nothing is stored here')
    .action(evaluate)
    .parseAsync(),
);
