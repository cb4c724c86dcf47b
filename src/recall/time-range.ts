import type { Context } from '../context.ts';
import { mayNameTime, timeRangeIn } from '../domain/time-phrases.ts';
import type { Question } from './read-question.ts';

/** A span of time that a question is about. */
export type TimeRange = {
  from: Date | null;
  /** Exclusive. */
  to: Date | null;
  /** The phrase that named it; null when it was given. */
  text: string | null;
  /** Whether nothing else is searched; otherwise what was said in it is only raised. */
  filters: boolean;
};

const OWN = /\b(?:i|me|my|mine|we|us|our|ours|you|your|yours)\b/i;
/** A name, but not as the first word. */
const NAMES = /\S\s+(?!I\b)\p{Lu}\p{L}+/u;

/**
 * Who says "we" or "I", or names nobody, asks when it was said. Of others one tells later: a quarter of what answers LoCoMo's
 * dated questions was said after the date.
 */
const isFilter = (query: string, phrase: string): boolean =>
  OWN.test(query) || !NAMES.test(query.replace(phrase, ' '));

/** What the caller gave as `from` and `to`; else what a time phrase of the query names, in the user's time zone. */
export async function rangeOf(
  { db, store }: Context,
  userId: string,
  { from, to, query }: Pick<Question, 'from' | 'to' | 'query'>,
  now: Date,
): Promise<TimeRange | null> {
  if (from || to) return { from, to, text: null, filters: true };
  // Most queries name no time: their user's time zone is not needed.
  if (!mayNameTime(query)) return null;
  const timeZone = await db.asUser(userId, (tx) => store.settings.timeZone(tx, userId));
  const range = timeRangeIn(query, now, timeZone ?? 'UTC');
  if (!range) return null;
  const { phrase: text, ...span } = range;
  return { ...span, text, filters: isFilter(query, text) };
}
