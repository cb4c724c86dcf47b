import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { fetchArchive } from './support/archive-over-http.ts';
import { showProgress } from './support/progress.ts';
import { CommandFailed, runCommand } from './support/run-command.ts';
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
  const { output, ...options } = command.opts<ServerOptions & { output?: string }>();
  if (output && existsSync(output)) {
    throw new CommandFailed(
      `There is already a file ${output}: name another one by --output, or remove it.`,
    );
  }
  const { bytes, body } = await fetchArchive(options);
  using progress = showProgress('bytes', bytes);
  body.on('data', (chunk: Buffer) => progress.add(chunk.length));
  const written = output ? writeWhole(body, output) : pipeline(body, process.stdout);
  await written.catch((error) => explain(error, output ?? 'standard output'));
});

/** Writes a file whole or not at all. */
async function writeWhole(body: Readable, file: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await pipeline(body, createWriteStream(draft, { mode: 0o600, flags: 'wx' }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** @throws CommandFailed for an archive that did not come whole, or cannot be written */
function explain(error: NodeJS.ErrnoException, target: string): never {
  const { syscall, message, cause } = error;
  if (syscall !== undefined) throw new CommandFailed(`Cannot write ${target}: ${message}.`);
  const why = cause instanceof Error ? cause.message : message;
  throw new CommandFailed(
    `The connection was lost before the archive was complete: ${why}. Run the same command again.`,
  );
}
