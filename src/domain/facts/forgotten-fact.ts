import { createHash } from 'node:crypto';
import type { CandidateFact, FactCategory } from './fact.ts';
import { normalValue } from './fact-key.ts';

/** The reason of a refusal that marks a forgotten fact. */
export const FORGOTTEN = 'forgotten';

type Named = Pick<CandidateFact, 'key' | 'value' | 'polarity'>;

/** Hashes by which a forgotten fact is recognised, as none of its words are kept. `key` is null if it has none. */
export type FactMark = { key: string | null; value: string };

/** A mark of a forgotten fact on a turn that stated it. */
export type ForgottenMark = FactMark & {
  turnId: number;
  category: FactCategory;
  forgottenAt: Date;
};

const hash = (...parts: (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export const markOf = ({ key, value, polarity }: Named): FactMark => ({
  key: key === null ? null : hash(key),
  value: hash(polarity, key, normalValue(value)),
});

/**
 * Whether a candidate is a fact that was forgotten: the same was said before that. A turn that stated the fact may be read in
 * other words, so there the same key suffices, or without a key the same category.
 */
export function isForgotten(
  candidate: Named & { category: FactCategory; turnId: number | null; at: Date },
  { turnId, category, forgottenAt, key, value }: ForgottenMark,
): boolean {
  if (candidate.turnId === null) return false;
  const own = markOf(candidate);
  if (candidate.turnId !== turnId) return own.value === value && candidate.at <= forgottenAt;
  return (
    own.value === value || (own.key === key && (key !== null || candidate.category === category))
  );
}
