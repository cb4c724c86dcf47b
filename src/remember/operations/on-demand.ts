import type { Needs } from '../../context.ts';
import {
  InvalidReply,
  ModelFailed,
  ModelUnavailable,
  Overtaken,
} from '../../domain/core/errors.ts';

/** How often overtaken work is attempted. */
const MOST_ATTEMPTS = 5;

/**
 * Runs language work for a caller that waits for it; runs it again if its input changed meanwhile.
 * @throws ModelUnavailable if a model fails or its reply cannot be used, because nothing retries later
 */
export async function onDemand<T>(ctx: Needs<'clock'>, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Overtaken && attempt < MOST_ATTEMPTS) continue;
      if (!(error instanceof ModelFailed || error instanceof InvalidReply)) throw error;
      throw new ModelUnavailable(error.message, ctx.clock(), { cause: error });
    }
  }
}
