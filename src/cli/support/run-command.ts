import { MemoryError as ClientError } from '@mnemograph/client';
import { explainFailure } from '../../explain-failure.ts';

/** A command cannot do its work. The message is shown to the user without a stack. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** Runs a command. Prints an expected failure as its message and any other with its stack, and sets exit code 1 for both. */
export async function runCommand(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(describe(error));
    process.exitCode = 1;
  }
}

const describe = (error: unknown): string =>
  error instanceof CommandFailed || error instanceof ClientError
    ? error.message
    : (missingFile(error) ?? explainFailure(error));

const missingFile = (error: unknown): string | null => {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'open' && path ? `There is no file ${path}.` : null;
};
