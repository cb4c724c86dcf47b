import type { LeasedJob } from '../db/operations/leased-job.ts';

/** So often in a row a step may be overtaken. More than that is no race: it cannot store its result at all. */
export const MOST_OVERTAKEN = 20;

/** How often in a row steps of this process were overtaken, by their worker and name. */
const inARow = new Map<string, number>();

const key = (worker: string, { step, subject, userId }: LeasedJob): string =>
  `${worker} ${step} ${subject} ${userId}`;

/** Notes that a step was overtaken. Returns whether that is to count as a failure, until the step ends in another way. */
export function isStuck(worker: string, job: LeasedJob): boolean {
  const times = (inARow.get(key(worker, job)) ?? 0) + 1;
  inARow.set(key(worker, job), times);
  return times > MOST_OVERTAKEN;
}

/** Notes that a step was not overtaken. */
export const notOvertaken = (worker: string, job: LeasedJob): void => {
  inARow.delete(key(worker, job));
};
