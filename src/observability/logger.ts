import { type DestinationStream, type Logger, pino } from 'pino';
import { OwnError } from '../domain/core/errors.ts';

export type { Logger };

/** Creates a logger that writes JSON lines, by default to standard error. Log lines never contain text of a memory. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger {
  return pino({ level, base: null, serializers: { err: describe } }, destination);
}

/**
 * Describes an error for the log. Only messages of our own errors and of system calls are kept: others, such as those of
 * a parser or of PostgreSQL, may quote a memory.
 */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, cause } = error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isSafe = error instanceof OwnError || syscall !== undefined;
  return {
    name,
    code,
    ...(isSafe ? { message } : {}),
    stack: framesOf(error),
    ...(cause ? { cause: describe(cause) } : {}),
  };
}

/** The stack frames, without the message at the start of the stack. */
const framesOf = ({ stack = '', message }: Error): string =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
