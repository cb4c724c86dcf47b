import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines, on standard error unless told otherwise. No text of any memory is logged. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger {
  return pino({ level, base: null, serializers: { err: describe } }, destination);
}

/** What helps to find a fault. The details that databases add to their errors may quote a row. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return { name, code, message, stack, ...(cause ? { cause: describe(cause) } : {}) };
}
