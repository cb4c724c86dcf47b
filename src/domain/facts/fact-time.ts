import { CLOCK_SKEW } from '../turns/turn.ts';

/**
 * The time at which facts must be true that are given now, and up to which turns are given: as a turn may come from a clock that
 * is ahead, it and its facts would otherwise not be known at once.
 */
export const factTime = (now: Date): Date => new Date(now.getTime() + CLOCK_SKEW);

/** Whether a fact is believed, and true at a time. */
export const isTrueAt = (
  fact: { validFrom: Date; validTo: Date | null; retractedAt: Date | null },
  at: Date,
): boolean =>
  fact.retractedAt === null && fact.validFrom <= at && (fact.validTo === null || fact.validTo > at);
