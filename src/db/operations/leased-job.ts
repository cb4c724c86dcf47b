import { MAX_ATTEMPTS } from '../../domain/core/job.ts';
import type { Step } from '../../pipeline.ts';

/** A job that a worker has leased. */
export type LeasedJob = {
  userId: string;
  step: Step;
  subject: number;
  triggers: number;
  attempts: number;
  /** The user's erase epoch when the job was leased. */
  eraseEpoch: number;
  /** Its place in the line of its lane: see `isFirstInLine`. */
  place: number;
  /** The trace of what first triggered it, while tracing is on. */
  traceparent: string | null;
};

/** A name of a job, which no other job has. */
export const nameOf = ({
  step,
  subject,
  userId,
}: {
  step: string;
  subject: number;
  userId: string;
}): string => `${step} ${subject} ${userId}`;

/** A job whose worker was killed counts at most this many attempts: it may not have been the step's fault. */
export const AFTER_KILL = MAX_ATTEMPTS - 2;

/** How many jobs are looked at to find the next ones of a lane: at the head of its line, and new in it. */
export const HEAD = 64;
export const NEW = 500;
