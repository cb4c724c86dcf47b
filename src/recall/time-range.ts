import type { Context } from '../context.ts';
import { mayNameTime, timeRangeIn } from '../domain/time-phrases.ts';
import type { Question } from './read-question.ts';

/** A span of time that a question is about. `to` is exclusive; `text`: the phrase that named it, null when it was given. */
export type TimeRange = { from: Date | null; to: Date | null; text: string | null };

/** What the caller gave as `from` and `to`; else what a time phrase of the query names, in the user's time zone. */
export async function rangeOf(
  { db, store }: Context,
  userId: string,
  { from, to, query }: Pick<Question, 'from' | 'to' | 'query'>,
  now: Date,
): Promise<TimeRange | null> {
  if (from || to) return { from, to, text: null };
  // Most queries name no time: their user's time zone is not needed.
  if (!mayNameTime(query)) return null;
  const timeZone = await db.asUser(userId, (tx) => store.settings.timeZone(tx, userId));
  const range = timeRangeIn(query, now, timeZone ?? 'UTC');
  return range && { from: range.from, to: range.to, text: range.phrase };
}
