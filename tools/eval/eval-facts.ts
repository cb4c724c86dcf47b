import { Command } from 'commander';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { evaluateFacts } from './evaluate-facts.ts';

await runCommand(() =>
  new Command('npm run eval:facts --')
    .description('Learns facts from labelled conversations, and compares them with the labels.')
    .argument('<file>', 'JSON lines of conversations and the facts that hold at their end')
    .option('--verbose', 'list the facts that were missed and the wrong ones')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .action((file, options) => evaluateFacts(file, options))
    .parseAsync(),
);
