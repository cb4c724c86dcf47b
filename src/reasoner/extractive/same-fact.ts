import { pattern } from '../../language/text/pattern.ts';
import { termsOf } from '../../language/text/terms.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';

/** From this share of common words on, two statements are the same fact. */
const SAME_FROM = 0.6;
const NEGATION = /\b(?:not|no|never|no longer|n't|dislikes?|hates?|avoids?|stopped)\b/i;
const SUBJECT_WORDS = new Set(['user', 'the']);

/** The subject of a statement: the words before the verb. */
const subjectOf = (statement: string): string =>
  /^(.{2,60}?)(?:'s| is| has| does| works| lives| loves| likes| prefers| uses| wants| was)\b/i
    .exec(statement)?.[1]
    ?.toLowerCase() ?? '';

const contentOf = (statement: string): Set<string> =>
  new Set([...termsOf(statement).keys()].filter((term) => !SUBJECT_WORDS.has(term)));

/**
 * Whether two statements state the same fact, perhaps with another value: by the share of common words (Dice),
 * given the same subject. A negation is still the same fact.
 */
export function isSameFact({
  known,
  candidate,
}: StepArguments<'same-fact'>): StepOutput<'same-fact'> {
  const one = contentOf(known.replace(NEGATION, ''));
  const other = contentOf(candidate.replace(NEGATION, ''));
  const common = [...one].filter((term) => other.has(term)).length;
  const sum = one.size + other.size;
  const share = sum === 0 ? 0 : (2 * common) / sum;
  const isSubject = subjectOf(known) === subjectOf(candidate);
  const likeness = isSubject ? Math.max(share, sharedPredicate(known, candidate)) : share * 0.5;
  return {
    same: likeness >= SAME_FROM,
    confidence: likeness >= SAME_FROM ? likeness : 1 - likeness,
  };
}

/** Attributes that have one value at a time: "lives in", "name is". */
const SINGLE = pattern('iu')`
  \b(?:(?:full )?name|birthday|pronouns|time zone|e-mail address|phone number|website|native language
  |favou?rite [\p{L} ]+?)(?= is| are)|\blives in\b|\bworks at\b|\bworks as\b|\byears old\b|\bcomes from\b
  |\bstudies at\b
`;

function sharedPredicate(known: string, candidate: string): number {
  const one = SINGLE.exec(known)?.[0].toLowerCase();
  return one !== undefined && one === SINGLE.exec(candidate)?.[0].toLowerCase() ? 0.9 : 0;
}
