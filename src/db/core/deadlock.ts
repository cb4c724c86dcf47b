import { Busy } from '../../domain/core/errors.ts';

/** How often a transaction is attempted that PostgreSQL aborts because of deadlocks. */
const MAX_ATTEMPTS = 3;

/**
 * Retries a transaction that was aborted because of a deadlock; usually the second attempt succeeds.
 * @throws Busy after three deadlocks
 */
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
