import { termsOf } from '../../language/text/terms.ts';
import type { FactOrigin } from './fact.ts';

/** The words in which a fact, or what one turn says of it, is put. */
export type FactWords = {
  key: string | null;
  value: string;
  statement: string;
  scope: string | null;
};

/** What a turn that is left says of a fact in its own words; `told` is null where they were not kept. */
export type OwnClaim = {
  turnId: number;
  at: Date;
  told: (FactWords & FactClaim) | null;
};
type FactClaim = {
  confidence: number;
  importance: number;
  origin: FactOrigin;
  model: string | null;
};

/** A fact of which something is forgotten, and what is left that says it. */
export type ForgottenFact = {
  id: number;
  key: string | null;
  validTo: Date | null;
  claims: readonly OwnClaim[];
};

/** A fact as what is left of its turns tells it. */
export type RetoldFact = FactWords &
  FactClaim & {
    id: number;
    validFrom: Date;
    lastVerifiedAt: Date;
    mentions: number;
    /** When it was said, by the turns that are left. */
    times: Date[];
  };

/** The terms of what a fact says. */
export const termsOfFact = ({ key, value, statement, scope }: FactWords): string[] => [
  ...termsOf([key?.replace(/[:_]/g, ' '), value, statement, scope].join(' ')).keys(),
];

/**
 * A fact as the turns that are left tell it: in the words of the first, from the earliest on. Null when they cannot, since
 * their words were not kept, speak of something else, or are said when it no longer held: they have to be read again.
 */
export function retold({ id, key, validTo, claims }: ForgottenFact): RetoldFact | null {
  const told = claims.flatMap((claim) => claim.told ?? []);
  const [first] = told;
  if (!first || told.length < claims.length || told.some((own) => own.key !== key)) return null;
  const times = claims.map(({ at }) => at).sort((a, b) => a.getTime() - b.getTime());
  const [validFrom, lastVerifiedAt] = [times[0] as Date, times.at(-1) as Date];
  if (validTo !== null && validFrom >= validTo) return null;
  const confidence = Math.max(...told.map((own) => own.confidence));
  const mentions = claims.length;
  return { ...first, id, confidence, mentions, validFrom, lastVerifiedAt, times };
}
