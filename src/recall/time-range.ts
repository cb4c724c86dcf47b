import type { Question } from './read-question.ts';

/** A span of time that a question is about. `to` is exclusive; `text`: the phrase that named it, null when it was given. */
export type TimeRange = { from: Date | null; to: Date | null; text: string | null };

/** What the caller gave as `from` and `to`; null without either. */
export const givenRange = ({ from, to }: Pick<Question, 'from' | 'to'>): TimeRange | null =>
  from || to ? { from, to, text: null } : null;
