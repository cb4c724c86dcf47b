import { Busy } from '../../domain/core/errors.ts';

/** How often a transaction that was the victim of a deadlock is run. */
const MAX_ATTEMPTS = 3;

/** PostgreSQL ends one of two transactions that wait for each other; run again, it succeeds. */
export async function unlessDeadlocked<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact();
    } catch (error) {
      if ((error as { code?: unknown }).code !== '40P01') throw error;
      if (attempt === MAX_ATTEMPTS) throw new Busy(1, { cause: error });
    }
  }
}
