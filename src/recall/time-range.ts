import type { Context } from '../context.ts';
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
  /** Whether it filters even if nothing was said in it. */
  isStrict: boolean;
};

/** What the caller gave as `from` and `to`; else what a time phrase of the query names, in the user's time zone. */
export async function rangeOf(
  ctx: Context,
  userId: string,
  {
    from,
    to,
    query,
    reading,
    now,
  }: Pick<Question, 'from' | 'to' | 'query' | 'reading'> & { now: Date },
): Promise<TimeRange | null> {
  if (from || to) return { from, to, text: null, filters: true, isStrict: true };
  // Most queries name no time: their user's time zone is not needed.
  if (!reading.mayNameTime) return null;
  const timeZone = await ctx.memory(userId).read((memory) => memory.settings.timeZone());
  const asked = { text: query, now, timeZone: timeZone ?? 'UTC' };
  const range = await ctx.rules.timeRange(asked, { userId });
  if (!range) return null;
  const { phrase: text, ...span } = range;
  return { ...span, text };
}
