import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { evaluateLocomo } from './evaluate-locomo.ts';

await runCommand(() =>
  new Command('npm run eval:locomo --')
    .description('Measures how well recall finds the evidence of the questions of LoCoMo.')
    .argument('<file>', 'conversations and questions in the shape of locomo10.json')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .option('--limit <count>', 'how many conversations to use; all by default', countOption)
    .option(
      '--sweep',
      'also try other values of each weight, fitted on some conversations and judged on others',
    )
    .option(
      '--context',
      'also measure how much evidence the prompt context contains, by its tokens',
    )
    .option('--splice', 'also join sessions into threads, and score the boundaries that are found')
    .action((file, options) => evaluateLocomo(file, options))
    .parseAsync(),
);
