/** What a check of the doctor found. */
export type Finding = {
  /** What was looked at, such as "database". */
  about: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do; null if nothing is wrong. */
  advice: string | null;
};

export type Finder = {
  ok(message: string): Finding;
  warning(message: string, advice: string): Finding;
  problem(message: string, advice: string): Finding;
};

/** Makes findings about one thing. */
export const findingsAbout = (about: string): Finder => ({
  ok: (message) => ({ about, level: 'ok', message, advice: null }),
  warning: (message, advice) => ({ about, level: 'warning', message, advice }),
  problem: (message, advice) => ({ about, level: 'problem', message, advice }),
});

/** A finding as one line. */
export const lineOf = ({ about, level, message, advice }: Finding): string =>
  `${level.padEnd(7)}  ${about}: ${message}${advice === null ? '.' : `. → ${advice}.`}`;

/** Says why something could not be reached, in a few words. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: string };
  if (cause instanceof Error) return reasonOf(cause);
  const { errors, code } = error as { errors?: Error[]; code?: string };
  return (errors?.[0]?.message || message || code || String(error)).replace(/\.$/, '');
}
