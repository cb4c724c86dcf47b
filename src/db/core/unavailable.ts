import { Busy, DatabaseUnavailable } from '../../domain/core/errors.ts';
import { pattern } from '../../language/text/pattern.ts';

/** Of the socket, of Prisma, and the SQLSTATEs of a lost connection and of a shutdown. */
const CODE = pattern()`
  ^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|P1001
  |P1002|P1008|P1017|08\w{3}|57P0[1-5]|58030)$
`;
/** What `pg` says of its own, without a code. */
const MESSAGE =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Connection ended)/i;

/**
 * Of Prisma, and the SQLSTATEs of a lock or an answer not had in time, of a transaction that went on too late, and of a
 * server that takes no more connections.
 */
const BUSY_CODE = /^(?:P2024|P2028|P2037|55P03|57014|25P03|53300)$/;
/** What `pg` says while all of its connections are in use. */
const BUSY_MESSAGE = /^timeout exceeded when trying to connect/i;
/** When to come back, in seconds. */
const COME_BACK = 2;

/** Of a full disk, and of a database that takes no writes: the embedded one, while its disk is nearly full. */
const READS_ONLY = /^(?:53100|25006)$/;
export const NO_ROOM =
  'The database takes no writes at the moment: its disk is nearly full, or it is a stand-by. Free some ' +
  'space or enlarge the disk; reading goes on, and writing by itself as soon as there is room.';

const REFUSED_WRITE = '25006';

/** The same for a transaction that only reads: that it refuses a write says nothing of the database. */
export const asUnavailableToRead = (error: unknown): unknown =>
  isTold(error, ({ code }) => code === REFUSED_WRITE)
    ? new Error('A unit of work that only reads tried to write.', { cause: error })
    : asUnavailable(error);

/** The same error; or, if it means that the database cannot be used now or is busy, one that says so. */
export function asUnavailable(error: unknown): unknown {
  if (isTold(error, ({ code }) => READS_ONLY.test(code)))
    return new DatabaseUnavailable(error, NO_ROOM);
  const isAway = isTold(error, ({ code, message }) => CODE.test(code) || MESSAGE.test(message));
  if (isAway) return new DatabaseUnavailable(error);
  const isBusy = isTold(
    error,
    ({ code, message }) => BUSY_CODE.test(code) || BUSY_MESSAGE.test(message),
  );
  return isBusy ? new Busy(COME_BACK, { cause: error }) : error;
}

/** Whether it is said by an error, or by what caused it. */
function isTold(error: unknown, by: (told: { code: string; message: string }) => boolean): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, originalCode, message, cause, meta } = error as Record<string, unknown> & {
    meta?: { driverAdapterError?: unknown };
  };
  return (
    [code, originalCode].some((each) => by({ code: textOf(each), message: textOf(message) })) ||
    isTold(cause, by) ||
    isTold(meta?.driverAdapterError, by)
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
