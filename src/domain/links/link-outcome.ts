import { isDenial } from '../../language/en/denial.ts';
import { recallIntentOf } from '../../language/en/recall-intent.ts';
import type { LinkVerdict } from './linking.ts';

export type LinkCertainty = 'HIGH' | 'UNCERTAIN';
const LINK_OUTCOMES = ['UNKNOWN', 'CORRECT', 'INCORRECT'] as const;
export type LinkOutcome = (typeof LINK_OUTCOMES)[number];

/** What showed whether a decision was right (requirements 11.10). */
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

/** How sure it must be that earlier talk is asked for: "didn't we talk about this?" */
const ASKS = 0.85;

/** So many later turns of the user are enough to tell. */
const ENOUGH = 2;
/** What goes on about the same is more alike than that, what is about something else less. */
const GOES_ON = 0.35;
/** What is so much alike after all is no sign that the threads were rightly kept apart. */
const ALIKE = 0.6;

/** How a thread went on after a decision about it. */
export type Aftermath = {
  verdict: LinkVerdict;
  /** What the user said after the turns that were compared. */
  later: readonly string[];
  /** How much that is like the two threads, or, where they were not linked, like the earlier one; null = too little to tell. */
  likeness: number | null;
  /** The thread is over. */
  isOver: boolean;
  /** The caller asked for a new thread, or the user greeted. */
  isFreshStart: boolean;
};

/** What the user's behaviour says of a decision; null = nothing (yet). */
export function outcomeOf(
  aftermath: Aftermath,
): { outcome: Exclude<LinkOutcome, 'UNKNOWN'>; sign: LinkSign } | null {
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

/** Whether a decision with an outcome holds its threads together: what a person says outright counts, other signs do not. */
export function joinsThreads(
  verdict: LinkVerdict,
  outcome: LinkOutcome,
  sign: LinkSign | null,
): boolean {
  const isSaid = sign === 'RATED' || sign === 'DENIED' || sign === 'ASKED_BACK';
  return (verdict === 'LINK') !== (outcome === 'INCORRECT' && isSaid);
}
