import { Command } from 'commander';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { evaluateCaptures } from './evaluate-captures.ts';

await runCommand(() =>
  new Command('npm run eval:capture --')
    .description('Lets the server decide what becomes an episode, and compares with the labels.')
    .argument('<file>', 'JSON lines of conversations with the decision on the last segment')
    .option('--verbose', 'list every decision, not only the wrong ones')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .action((file, options) => evaluateCaptures(file, options))
    .parseAsync(),
);
