import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { fetchArchive } from './support/archive-over-http.ts';
import { showProgress } from './support/progress.ts';
import { runCommand } from './support/run-command.ts';
import { type ServerOptions, withServer } from './support/server-options.ts';

// Exports a user's memory as an archive (docs/archive.md), to a file or to standard output.

const command = withServer(new Command('npm run --silent export --'))
  .description("Exports a user's whole memory from a running server as an archive.")
  .option(
    '--output <file>',
    'the file to create, readable only by its owner; standard output by default',
  )
  .showHelpAfterError()
  .parse();

await runCommand(async () => {
  const options = command.opts<ServerOptions & { output?: string }>();
  const { bytes, body } = await fetchArchive(options);
  using progress = showProgress('bytes', bytes);
  body.on('data', (chunk: Buffer) => progress.add(chunk.length));
  const target = options.output
    ? createWriteStream(options.output, { mode: 0o600, flags: 'wx' })
    : process.stdout;
  await pipeline(body, target);
});
