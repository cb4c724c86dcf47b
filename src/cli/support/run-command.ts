import { MemoryError as ClientError } from '@mnemograph/client';
import { InvalidEnvironment } from '../../config/invalid-environment.ts';
import { MigrationError } from '../../db/core/migration-error.ts';
import { DataFolderLocked } from '../../db/embedded/folder-lock.ts';
import { InvalidSetting, MemoryError } from '../../domain/core/errors.ts';

/** A command cannot do its work. The message is shown to the user without a stack. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

const EXPECTED = [
  CommandFailed,
  InvalidEnvironment,
  InvalidSetting,
  DataFolderLocked,
  MigrationError,
  MemoryError,
  ClientError,
];

/** Runs a command. Prints an expected failure as its message and any other with its stack, and sets exit code 1 for both. */
export async function runCommand(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(describe(error));
    process.exitCode = 1;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.some((kind) => error instanceof kind)) return error.message;
  const { code } = error as { code?: string };
  if (code === 'ECONNREFUSED') return 'The database at DATABASE_URL cannot be reached.';
  if (code === '28P01' || code === '28000' || code === '3D000') {
    return `The database at DATABASE_URL refused the connection: ${error.message}.`;
  }
  return error.stack ?? error.message;
}
