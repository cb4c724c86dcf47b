import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard error. No text of any memory is logged at info level or above. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: false }));
}
