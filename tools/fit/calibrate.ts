import { Command } from 'commander';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { calibrateEmbedder } from './calibrate/calibrate-embedder.ts';

await runCommand(() =>
  new Command('npm run calibrate --')
    .description(
      'Measures the embedding profile of the configured embedder: how its cosines are interpreted and weighted.',
    )
    .argument(
      '<file...>',
      'JSON lines of {"utterances": […], "boundaries": […]}, and conversations with questions in the shape of locomo10.json',
    )
    .option('--out <file>', 'where to write the profile, for EMBEDDING_PROFILE')
    .action((files, options) => calibrateEmbedder(files, options))
    .parseAsync(),
);
