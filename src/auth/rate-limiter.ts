import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '../domain/core/errors.ts';

/** Counts by caller in this process, for a minute from its first point on. */
export type RateLimiter = {
  /** @throws RateLimited when that is more than the caller has left */
  spend(caller: string, points?: number): Promise<void>;
};

const MINUTE = 60;

/**
 * @param what is limited, for the message, such as "operations of this user"
 * @param perMinute points of each caller; 0 = without limit
 */
export function createRateLimiter(what: string, perMinute: number): RateLimiter {
  if (perMinute === 0) return { spend: async () => {} };
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE });
  const limited = ({ msBeforeNext }: RateLimiterRes) => {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const most = perMinute.toLocaleString('en');
    return new RateLimited(
      `More than ${most} ${what} a minute. Try again in ${seconds} s.`,
      seconds,
    );
  };
  return {
    async spend(caller, points = 1) {
      await limiter.consume(caller, points).catch((refused: RateLimiterRes) => {
        throw limited(refused);
      });
    },
  };
}
