import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '../domain/core/errors.ts';

/** Limits how many points each caller spends per minute in this process. A caller's minute begins with its first point. */
export type RateLimiter = {
  /** Takes points, 1 by default, from the caller's allowance. @throws RateLimited when it is used up */
  spend(caller: string, points?: number): Promise<void>;
};

/** The time for which points are counted, in seconds. */
const SPAN = 60;

/**
 * Creates a rate limiter.
 * @param what names the limited thing in the error message, such as "operations of this user"
 * @param perMinute points for each caller; 0 = no limit
 */
export function createRateLimiter(what: string, perMinute: number): RateLimiter {
  if (perMinute === 0) return { spend: async () => {} };
  const limiter = new RateLimiterMemory({ points: perMinute, duration: SPAN });
  const errorFor = ({ msBeforeNext }: RateLimiterRes) => {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const limit = perMinute.toLocaleString('en');
    return new RateLimited(
      `More than ${limit} ${what} a minute. Try again in ${seconds} s.`,
      seconds,
    );
  };
  return {
    async spend(caller, points = 1) {
      await limiter.consume(caller, points).catch((rejection: RateLimiterRes) => {
        throw errorFor(rejection);
      });
    },
  };
}
