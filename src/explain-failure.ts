import { InvalidEnvironment } from './config/invalid-environment.ts';
import { MigrationError } from './db/core/migration-error.ts';
import { isAway } from './db/core/unavailable.ts';
import { DataFolderLocked } from './db/embedded/folder-lock.ts';
import { InvalidSetting, MemoryError } from './domain/core/errors.ts';

/** Errors whose message says what the operator can do. */
const EXPECTED = [
  InvalidEnvironment,
  InvalidSetting,
  DataFolderLocked,
  MigrationError,
  MemoryError,
];

/** Codes that a missing file and a closed pipe have, too. */
const OF_FILES = ['ENOENT', 'EPIPE'];
/** What `pg` says, without a code, when a connection takes too long. */
const TOO_SLOW = 'timeout expired';
/** SQLSTATEs of a refused login, of a missing database, of too many connections, and of a server that is starting or stopping. */
const REFUSED = /^(?:28\w{3}|3D000|53300|57P0[1-3])$/;
/** SQLSTATE of a missing privilege, and of a row that row-level security refuses, which is a defect. */
const NOT_ALLOWED = '42501';
const REFUSED_ROW = 'row-level security';

/** Returns what to print when the server or a command fails: a line that says why, or for a defect the stack. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack, code = '' } = error as NodeJS.ErrnoException;
  if (EXPECTED.some((kind) => error instanceof kind)) return message;
  if (code === 'EADDRINUSE') return 'The port is already in use. Set PORT to another one.';
  if (REFUSED.test(code)) {
    return `The database at DATABASE_URL refused the connection: ${message}.`;
  }
  if ((isAway({ code, message }) && !OF_FILES.includes(code)) || message === TOO_SLOW) {
    return `The database at DATABASE_URL cannot be reached${message && `: ${message}`}.`;
  }
  if (code === NOT_ALLOWED && !message.includes(REFUSED_ROW)) {
    return `The role of DATABASE_URL lacks a privilege: ${message}.`;
  }
  return stack ?? message;
}
