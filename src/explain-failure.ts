import { InvalidEnvironment } from './config/invalid-environment.ts';
import { MigrationError } from './db/core/migration-error.ts';
import { DataFolderLocked } from './db/embedded/folder-lock.ts';
import { InvalidSetting, MemoryError } from './domain/core/errors.ts';
import { pattern } from './language/text/pattern.ts';

/** Errors whose message says what the operator can do. */
const EXPECTED = [
  InvalidEnvironment,
  InvalidSetting,
  DataFolderLocked,
  MigrationError,
  MemoryError,
];

/** Codes of a connection that cannot be made, or breaks. */
const UNREACHABLE = pattern()`
  ^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$
`;
/** Messages of `pg` for the same, without a code. */
const BROKEN = /^(?:Connection terminated|timeout expired)/;
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
  if (UNREACHABLE.test(code) || BROKEN.test(message)) {
    return `The database at DATABASE_URL cannot be reached${message && `: ${message}`}.`;
  }
  if (REFUSED.test(code)) {
    return `The database at DATABASE_URL refused the connection: ${message}.`;
  }
  if (code === NOT_ALLOWED && !message.includes(REFUSED_ROW)) {
    return `The role of DATABASE_URL lacks a privilege: ${message}.`;
  }
  return stack ?? message;
}
