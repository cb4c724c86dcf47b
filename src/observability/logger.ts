import { type DestinationStream, type Logger, pino } from 'pino';
import { OwnError } from '../domain/core/errors.ts';

export type { Logger };

/** JSON lines, on standard error unless told otherwise. No text of any memory is logged. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger {
  return pino({ level, base: null, serializers: { err: describe } }, destination);
}

/** What helps to find a fault. Other messages than our own and the system's may quote what was worked on, or a row. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, cause } = error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isKnown = error instanceof OwnError || syscall !== undefined;
  return {
    name,
    code,
    ...(isKnown ? { message } : {}),
    stack: framesOf(error),
    ...(cause ? { cause: describe(cause) } : {}),
  };
}

/** The stack without the message that it begins with. */
const framesOf = ({ stack = '', message }: Error): string =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
