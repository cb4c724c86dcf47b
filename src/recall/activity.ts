import type { MemoryContext } from '../context.ts';
import type { ActivityCount, ActivitySpan } from '../db/operations/activity.ts';
import { ACTIVITY_STEPS } from '../domain/core/activity.ts';
import { InvalidInput } from '../domain/core/errors.ts';

export type { ActivityCount };

/** The most buckets that are counted at a time. */
export const MOST_BUCKETS = 1_000;

/**
 * Counts what happened in a memory, by kind and time.
 * @throws InvalidInput if the span is empty or has too many buckets
 */
export async function activityOf(
  ctx: MemoryContext,
  userId: string,
  span: ActivitySpan,
): Promise<ActivityCount[]> {
  const length = span.to.getTime() - span.from.getTime();
  if (length <= 0) {
    throw new InvalidInput([{ path: 'to', message: 'must be later than `from`' }]);
  }
  if (length / ACTIVITY_STEPS[span.step] > MOST_BUCKETS) {
    const most = MOST_BUCKETS.toLocaleString('en');
    const message = `is too short for this span: at most ${most} buckets; take a longer step`;
    throw new InvalidInput([{ path: 'step', message }]);
  }
  return ctx.memory(userId).read((memory) => memory.activity.count(span));
}
