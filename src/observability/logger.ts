import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard error. No text of any memory is logged at info level or above. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, serializers: { err: describe } },
    pino.destination({ dest: 2, sync: false }),
  );
}

/** What helps to find a fault. The details that databases add to their errors may quote a row. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return { name, code, message, stack, ...(cause ? { cause: describe(cause) } : {}) };
}
