import type { MemoryContext, Needs } from '../context.ts';
import type { Question } from './read-question.ts';

/** The period that a question is about. */
export type RecallRange = {
  from: Date | null;
  /** Exclusive. */
  to: Date | null;
  /** The phrase that names it; null if the caller gave it. */
  text: string | null;
  /** Whether only this period is searched. Otherwise candidates in it only get a higher score. */
  filters: boolean;
  /** Whether it filters even if nothing is found in it. */
  isStrict: boolean;
  /** Whether the question asks for whatever was said in it: its words name no topic. */
  asksForAll: boolean;
};

/** The period given by `from` and `to`, or else named by a time phrase of the query, in the user's time zone. */
export async function rangeOf(
  ctx: MemoryContext & Needs<'rules'>,
  userId: string,
  {
    from,
    to,
    query,
    reading,
    now,
  }: Pick<Question, 'from' | 'to' | 'query' | 'reading'> & { now: Date },
): Promise<RecallRange | null> {
  if (from || to) {
    return { from, to, text: null, filters: true, isStrict: true, asksForAll: false };
  }
  // Most queries name no time; then the user's time zone need not be read.
  if (!reading.mayNameTime) return null;
  const timeZone = await ctx.memory(userId).read((memory) => memory.settings.timeZone());
  const asked = { text: query, now, timeZone: timeZone ?? 'UTC' };
  const range = await ctx.rules.timeRange(asked, { userId });
  if (!range) return null;
  const { phrase: text, ...span } = range;
  return { ...span, text };
}
