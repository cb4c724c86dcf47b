import { Busy, DatabaseUnavailable } from '../../domain/core/errors.ts';
import { pattern } from '../../language/text/pattern.ts';

/** Codes of sockets and of Prisma, and the SQLSTATEs of a lost connection and of a shutdown. */
const CODE = pattern()`
  ^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|P1001
  |P1002|P1008|P1017|08\w{3}|57P0[1-5]|58030)$
`;
/** Messages of `pg` that come without a code. */
const MESSAGE =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Connection ended)/i;

/**
 * Codes of Prisma, and the SQLSTATEs of lock and statement timeouts, of a transaction that was idle for too long, and of too
 * many connections.
 */
const BUSY_CODE = /^(?:P2024|P2028|P2037|55P03|57014|25P03|53300)$/;
/** The message of `pg` while all of its connections are in use. */
const BUSY_MESSAGE = /^timeout exceeded when trying to connect/i;
/** When to retry, in seconds. */
const RETRY_AFTER = 2;

/** SQLSTATEs of a full disk, and of a database that refuses writes, as the embedded one does while its disk is nearly full. */
const NOT_WRITABLE = /^(?:53100|25006)$/;
export const NO_ROOM =
  'The database accepts no writes at the moment: its disk is nearly full, or it is a stand-by. Free some ' +
  'space or enlarge the disk. Reading still works, and writing resumes as soon as there is space.';

const REFUSED_WRITE = '25006';

/** The same for a read-only transaction. There a refused write is a mistake of the code, not of the database. */
export const asUnavailableToRead = (error: unknown): unknown =>
  matches(error, ({ code }) => code === REFUSED_WRITE)
    ? new Error('A unit of work that only reads tried to write.', { cause: error })
    : asUnavailable(error);

type Failure = { code: string; message: string };

/** Whether a connection to the database could not be made, or is lost. */
export const isAway = ({ code, message }: Failure): boolean =>
  CODE.test(code) || MESSAGE.test(message);

/** Turns errors that mean the database is unreachable or busy into DatabaseUnavailable or Busy; returns others unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (matches(error, ({ code }) => NOT_WRITABLE.test(code)))
    return new DatabaseUnavailable(error, NO_ROOM);
  if (matches(error, isAway)) return new DatabaseUnavailable(error);
  const isBusy = matches(
    error,
    ({ code, message }) => BUSY_CODE.test(code) || BUSY_MESSAGE.test(message),
  );
  return isBusy ? new Busy(RETRY_AFTER, { cause: error }) : error;
}

/** Throws an error as `asUnavailable` explains it. */
export function throwUnavailable(error: unknown): never {
  throw asUnavailable(error);
}

/** Whether an error, or one of its causes, matches. */
function matches(error: unknown, by: (one: Failure) => boolean): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, originalCode, message, cause, meta } = error as Record<string, unknown> & {
    meta?: { driverAdapterError?: unknown };
  };
  return (
    [code, originalCode].some((each) => by({ code: textOf(each), message: textOf(message) })) ||
    matches(cause, by) ||
    matches(meta?.driverAdapterError, by)
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
