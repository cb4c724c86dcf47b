import type { Context } from '../../context.ts';
import {
  InvalidReply,
  ModelFailed,
  ModelUnavailable,
  Overtaken,
} from '../../domain/core/errors.ts';

/** How often work begins anew that something else has overtaken. */
const MOST_ATTEMPTS = 5;

/**
 * Does language work that somebody waits for; once more when its material changed meanwhile.
 * @throws ModelUnavailable also where a model answers what cannot be used: there is no later attempt
 */
export async function byHand<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
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
