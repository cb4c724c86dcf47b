import { InvalidEnvironment } from '../../config/read-env.ts';
import { MigrationError } from '../../db/core/migrate.ts';
import { DataFolderLocked } from '../../db/embedded/folder-lock.ts';
import { InvalidSetting, MemoryError } from '../../domain/core/errors.ts';

/** What a command tells its user when it cannot do its work; without a stack. */
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
];

/** Runs a command to its end: expected failures are told in one line, others with their stack, and end with code 1. */
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
  if (code === 'ECONNREFUSED') return 'The database of DATABASE_URL does not answer.';
  if (code === '28P01' || code === '28000' || code === '3D000') {
    return `The database of DATABASE_URL says: ${error.message}.`;
  }
  return error.stack ?? error.message;
}
