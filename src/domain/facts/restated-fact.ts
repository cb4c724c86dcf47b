import { termsOf } from '../../language/text/terms.ts';
import type { FactOrigin } from './fact.ts';

/** The words of a fact, or of one of its sources. */
export type FactWords = {
  key: string | null;
  value: string;
  statement: string;
  scope: string | null;
};

/** A source that is left: a turn and its own words for the fact; `wording` is null if they were not stored. */
export type FactSource = {
  turnId: number;
  at: Date;
  wording: (FactWords & SourceDetails) | null;
};
type SourceDetails = {
  confidence: number;
  importance: number;
  origin: FactOrigin;
  model: string | null;
};

/** A fact of which a source was forgotten, and the sources that are left. */
export type ForgottenFact = {
  id: number;
  key: string | null;
  validTo: Date | null;
  sources: readonly FactSource[];
};

/** A fact in the words of the sources that are left. */
export type RestatedFact = FactWords &
  SourceDetails & {
    id: number;
    validFrom: Date;
    lastVerifiedAt: Date;
    mentions: number;
    /** When it was said, by the sources that are left. */
    times: Date[];
  };

/** The terms of a fact's words. */
export const termsOfFact = ({ key, value, statement, scope }: FactWords): string[] => [
  ...termsOf([key?.replace(/[:_]/g, ' '), value, statement, scope].join(' ')).keys(),
];

/**
 * A fact by the sources that are left: in the words of the first, from the time of the earliest. Null if that is not possible,
 * since their words were not stored, are about another key, or were said when the fact was no longer true: then their turns
 * are read again.
 */
export function restateFact({ id, key, validTo, sources }: ForgottenFact): RestatedFact | null {
  const wordings = sources.flatMap((source) => source.wording ?? []);
  const [first] = wordings;
  if (!first || wordings.length < sources.length || wordings.some((one) => one.key !== key))
    return null;
  const times = sources.map(({ at }) => at).sort((a, b) => a.getTime() - b.getTime());
  const [validFrom, lastVerifiedAt] = [times[0] as Date, times.at(-1) as Date];
  if (validTo !== null && validFrom >= validTo) return null;
  const confidence = Math.max(...wordings.map((one) => one.confidence));
  const mentions = sources.length;
  return { ...first, id, confidence, mentions, validFrom, lastVerifiedAt, times };
}
