import { isDenial } from '../../language/en/denial.ts';
import { recallIntentOf } from '../../language/en/recall-intent.ts';
import type { LinkVerdict } from './linking.ts';

export type LinkCertainty = 'HIGH' | 'UNCERTAIN';
const LINK_OUTCOMES = ['UNKNOWN', 'CORRECT', 'INCORRECT'] as const;
export type LinkOutcome = (typeof LINK_OUTCOMES)[number];

/** The sign by which a decision was found right or wrong (requirements 11.10). */
export const LINK_SIGNS = [
  'RATED',
  'CONTINUED',
  'DENIED',
  'SWITCHED_TOPIC',
  'ASKED_BACK',
  'STARTED_AFRESH',
  'NEW_TOPIC',
] as const;
export type LinkSign = (typeof LINK_SIGNS)[number];

/** The confidence from which a user asks for earlier talk: "didn't we talk about this?" */
const ASKS = 0.85;

/** How many later turns of the user are enough to judge by. */
const ENOUGH = 2;
/** Talk that continues a topic is more similar than this; talk about something else is less similar. */
const GOES_ON = 0.35;
/** From this similarity, talk is no sign that the threads were rightly kept apart. */
const ALIKE = 0.6;

/** How a thread continued after a decision about it. */
export type Aftermath = {
  verdict: LinkVerdict;
  /** The user's turns after those that were compared. */
  later: readonly string[];
  /** Their similarity to the two threads or, if these were not linked, to the earlier one; null = there is too little to compare. */
  likeness: number | null;
  /** The thread is over. */
  isOver: boolean;
  /** The caller asked for a new thread, or the user greeted. */
  isFreshStart: boolean;
};

/** An outcome, and the sign that showed it. */
export type FoundOutcome = { outcome: Exclude<LinkOutcome, 'UNKNOWN'>; sign: LinkSign };

/** The outcome of a decision by the user's behaviour; null = not known (yet). */
export function linkOutcomeOf(aftermath: Aftermath): FoundOutcome | null {
  const { verdict, later, likeness, isOver, isFreshStart } = aftermath;
  const isLinked = verdict === 'LINK';
  if (isLinked && later.some(isDenial)) return { outcome: 'INCORRECT', sign: 'DENIED' };
  if (!isLinked && later.some(asksBack)) return { outcome: 'INCORRECT', sign: 'ASKED_BACK' };
  if (later.length < (isOver ? 1 : ENOUGH)) return null;
  if (isLinked) {
    return likeness !== null && likeness < GOES_ON
      ? { outcome: 'INCORRECT', sign: 'SWITCHED_TOPIC' }
      : { outcome: 'CORRECT', sign: 'CONTINUED' };
  }
  if (likeness !== null && likeness >= ALIKE) return null;
  return { outcome: 'CORRECT', sign: isFreshStart ? 'STARTED_AFRESH' : 'NEW_TOPIC' };
}

function asksBack(text: string): boolean {
  const { recall, confidence } = recallIntentOf(text);
  return recall && confidence >= ASKS;
}

/** Whether a decision joins its threads, given its outcome. Only what a person says outright counts; other signs do not. */
export function joinsThreads(
  verdict: LinkVerdict,
  outcome: LinkOutcome,
  sign: LinkSign | null,
): boolean {
  const isSaid = sign === 'RATED' || sign === 'DENIED' || sign === 'ASKED_BACK';
  return (verdict === 'LINK') !== (outcome === 'INCORRECT' && isSaid);
}
