import { DatabaseUnavailable } from '../domain/errors.ts';

/** Of the socket, of Prisma, and the SQLSTATEs of a lost connection, a shutdown, a stand-by, and of want of room. */
const CODE =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|P1001|P1002|P1008|P1017|P2024|P2028|P2037|08\w{3}|53[13]00|57P0[1-5]|25006|58030)$/;
/** What `pg` says of its own, without a code. */
const MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed)|Connection ended)/i;

/** The same error; or, if it means that the database cannot be used now, one that says so. */
export function asUnavailable(error: unknown): unknown {
  return isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

function isUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, originalCode, message, cause, meta } = error as Record<string, unknown> & {
    meta?: { driverAdapterError?: unknown };
  };
  return (
    [code, originalCode].some((each) => typeof each === 'string' && CODE.test(each)) ||
    (typeof message === 'string' && MESSAGE.test(message)) ||
    isUnavailable(cause) ||
    isUnavailable(meta?.driverAdapterError)
  );
}
