import { asSaid } from '../../language/en/as-said.ts';
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

const byTime = (one: Date, other: Date): number => one.getTime() - other.getTime();

/** The terms of a fact by where they come from. Any of them may be words of the turns with which it was read. */
export type FactTerms = {
  /** What it says. */
  said: string[];
  /** Whom or what its key is about. */
  about: string[];
  /** The kind of fact, by its key. Rules take it from the words of the turn itself if all that is said stands there. */
  kind: string[];
};

/** The terms of a fact's words. */
export function termsOfFact({ key, value, statement, scope }: FactWords): FactTerms {
  const parts = (key ?? '').replaceAll('_', ' ').split(':');
  const kind = [parts[0], parts.length > 1 ? parts.at(-1) : ''];
  return {
    said: distinctTerms([value, asSaid(statement), scope]),
    about: distinctTerms(parts.slice(1, -1)),
    kind: distinctTerms(kind),
  };
}

const distinctTerms = (texts: readonly (string | null | undefined)[]): string[] => [
  ...termsOf(texts.join(' ')).keys(),
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
  const times = sources.map(({ at }) => at).sort(byTime);
  const [validFrom, lastVerifiedAt] = [times[0] as Date, times.at(-1) as Date];
  if (validTo !== null && validFrom >= validTo) return null;
  const confidence = Math.max(...wordings.map((one) => one.confidence));
  const mentions = sources.length;
  return { ...first, id, confidence, mentions, validFrom, lastVerifiedAt, times };
}

/** A fact by hand, which a forgotten turn had stated, too; `versionTimes`: when it began, by all that was believed of it. */
export type StatedByHand = {
  id: number;
  validFrom: Date;
  validTo: Date | null;
  lastVerifiedAt: Date;
  goneTimes: Date[];
  leftTimes: Date[];
  versionTimes: Date[];
};

/** When it is true, and was last said, without the forgotten turns. `times`: when it began, or is said, by what is left. */
export type RedatedFact = Pick<
  StatedByHand,
  'id' | 'goneTimes' | 'lastVerifiedAt' | 'validFrom'
> & {
  times: Date[];
  isMoved: boolean;
};

/**
 * A fact by hand keeps its words, but none of the times of forgotten turns: then it begins with the earliest that is left, or, if
 * nothing is, when it was last confirmed, or now.
 */
export function redateFact(fact: StatedByHand, now: Date): RedatedFact {
  const { id, validTo, leftTimes, versionTimes } = fact;
  const left = new Set(leftTimes.map((at) => at.getTime()));
  const goneTimes = fact.goneTimes.filter((at) => !left.has(at.getTime()));
  const gone = new Set(goneTimes.map((at) => at.getTime()));
  const isLeft = (at: Date) => !gone.has(at.getTime());
  const [earliest] = [...leftTimes, ...versionTimes].filter(isLeft).sort(byTime);
  const isMoved = !isLeft(fact.validFrom);
  const confirmed = isLeft(fact.lastVerifiedAt) ? fact.lastVerifiedAt : now;
  const began = isMoved ? (earliest ?? confirmed) : fact.validFrom;
  const validFrom = validTo && began > validTo ? validTo : began;
  const times = [validFrom, ...leftTimes].sort(byTime);
  const lastVerifiedAt = isLeft(fact.lastVerifiedAt) ? fact.lastVerifiedAt : (times.at(-1) as Date);
  return { id, goneTimes, validFrom, lastVerifiedAt, times, isMoved };
}
