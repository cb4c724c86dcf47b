import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../core/database.ts';
import { noteUses } from './api-keys.ts';

/** When API keys were last used. */
export type KeyUses = AsyncDisposable & {
  /** Notes that a key is used now. Costs no statement. */
  note(id: string): void;
  /** Stores what was noted. Never rejects: a failure is logged, and the next use is noted again. */
  flush(): Promise<void>;
};

/** A key that is in constant use is noted this often, in milliseconds. */
const NOTE_EVERY = 60_000;
/** What was noted is stored after this time at the latest, in milliseconds. */
const FLUSH_AFTER = 30_000;

/** Gathers in memory when keys are used, and stores it for all of them by one statement. */
export function createKeyUses(services: {
  db: Database;
  logger: Logger;
  clock: () => Date;
}): KeyUses {
  const { db, logger, clock } = services;
  const noted = new Map<string, number>();
  let waiting = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const uses = waiting;
    if (uses.size === 0) return;
    waiting = new Map();
    try {
      await noteUses(db, uses);
    } catch (error) {
      for (const id of uses.keys()) noted.delete(id);
      logger.warn({ err: error, keys: uses.size }, 'api_key.note_failed');
    }
  };

  return {
    note(id) {
      const now = clock();
      const last = noted.get(id) ?? Number.NEGATIVE_INFINITY;
      if (now.getTime() - last < NOTE_EVERY) return;
      noted.set(id, now.getTime());
      waiting.set(id, now);
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER).unref();
    },
    flush,
    [Symbol.asyncDispose]: flush,
  };
}
