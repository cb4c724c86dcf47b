import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { evaluateLinking } from './evaluate-linking.ts';

/** Enough to measure AUC to half a point in a few minutes. */
const USUAL_PAIRS = 1_000;

await runCommand(() =>
  new Command('npm run eval:linking --')
    .description('Lets the server link halves of topics, and compares with the labels.')
    .argument('<files...>', 'JSON lines {"id","utterances","boundaries"}')
    .option(
      '--pairs <count>',
      'the most pairs to use, drawn evenly, the same each time',
      countOption,
      USUAL_PAIRS,
    )
    .option('--tuning', 'also tune from a wrong threshold')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .action((files, options) => evaluateLinking(files, options))
    .parseAsync(),
);
