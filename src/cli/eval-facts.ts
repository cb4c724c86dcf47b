import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { type EvaluatedConversation, evaluateFacts, parseFacts } from './fact-scores.ts';
import { showProgress } from './progress.ts';
import { describeSetting, printResult, printSetting, printTable } from './report.ts';
import { runCommand } from './run-command.ts';

async function evaluate(file: string, { verbose = false }: { verbose?: boolean }): Promise<void> {
  const conversations = parseFacts(await readFile(file, 'utf8'));
  using done = showProgress('conversations', conversations.length);
  const { scores, results } = evaluateFacts(conversations, () => done.add(1));
  done[Symbol.dispose]();
  const setting = {
    ...(await describeSetting(basename(file), 'none', null)),
    database: 'none',
  };
  printSetting(setting);
  printTable([
    ['facts', 'share'],
    ...(['precision', 'recall', 'f1', 'categoryAgreement', 'keyAgreement'] as const).map((name) => [
      name,
      scores[name].toFixed(3),
    ]),
  ]);
  printTable([
    ['count', ''],
    ['conversations', results.length],
    ['labelled', scores.labelled],
    ['found', scores.found],
    ['matched', scores.matched],
  ]);
  if (verbose) for (const result of results) printMistakes(result);
  printResult({ ...scores, ...setting });
}

function printMistakes({ id, missed, extra, disagreeing }: EvaluatedConversation): void {
  if (missed.length + extra.length + disagreeing.length === 0) return;
  console.log(id);
  for (const fact of missed)
    console.log(`  missed  ${fact.polarity} ${fact.category} ${fact.value}`);
  for (const fact of extra) {
    console.log(`  wrong   ${fact.polarity} ${fact.category} ${fact.key} = ${fact.value}`);
  }
  for (const { label, fact } of disagreeing) {
    console.log(`  other   ${fact.category} ${fact.key}, not ${label.category} ${label.key ?? ''}`);
  }
}

await runCommand(() =>
  new Command('npm run eval:facts --')
    .description('Learns facts from labelled conversations (see evaluation.md).')
    .argument('<file>', 'JSON lines of conversations and the facts that hold at their end')
    .option('--verbose', 'list the facts that were missed and the wrong ones')
    .option('--database-url <url>', 'taken as by the other commands; nothing is stored here')
    .action(evaluate)
    .parseAsync(),
);
