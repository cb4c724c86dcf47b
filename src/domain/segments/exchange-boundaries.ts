import { cuesOf } from '../../language/en/boundary-cues.ts';
import { announcesTopic, opensAlso, refersBack } from '../../language/en/topic-announced.ts';
import { MINUTE } from '../../shared/duration.ts';
import type { Role } from '../../shared/role.ts';
import type { BoundaryFeatures } from './boundary-features.ts';

/** A turn with its role, text and time. */
export type TimedTurn = { role: Role; text: string; occurredAt: Date };

/** A longer pause, in minutes, counts as this long. */
const LONGEST_PAUSE = 60;

const pauseBefore = (turn: TimedTurn, before: TimedTurn) =>
  turn.occurredAt.getTime() - before.occurredAt.getTime();

/** If an assistant speaks of itself in a larger share of its turns, it may be a person, as in a transcript. */
const ABOUT_ITSELF = 0.1;

/**
 * Whether a person talks with a machine. Then the person opens topics, and pauses are informative. Roles and times may be
 * invented, as in a transcript of two people that has neither. Evenly spaced times are, so in that case the assistant's
 * words must show that it is a machine.
 */
export function areExchanges(turns: readonly TimedTurn[]): boolean {
  const answers = turns.filter(({ role }) => role === 'ASSISTANT');
  if (answers.length === 0 || answers.length === turns.length) return false;
  const pauses = turns.slice(1).map((turn, at) => pauseBefore(turn, turns[at] as TimedTurn));
  if (new Set(pauses).size > 1) return true;
  const aboutItself = answers.filter(({ text }) => cuesOf(text).me === 1).length;
  return aboutItself <= answers.length * ABOUT_ITSELF;
}

/** The features of each gap in such talk. @param logits the log odds of the general model above its threshold */
export function exchangeFeatures(
  turns: readonly TimedTurn[],
  { values }: Pick<BoundaryFeatures, 'values'>,
  logits: readonly number[],
): number[][] {
  return turns.slice(1).map((turn, gap) => {
    const pause = pauseBefore(turn, turns[gap] as TimedTurn) / MINUTE;
    const isAnswer = turn.role === 'ASSISTANT';
    const sign = (shown: boolean) => (shown && !isAnswer ? 1 : 0);
    return [
      logits[gap] ?? 0,
      isAnswer ? 1 : 0,
      Math.log(Math.min(LONGEST_PAUSE, Math.max(1, pause))),
      sign(announcesTopic(turn.text)),
      sign(opensAlso(turn.text)),
      sign(refersBack(turn.text)),
      values.get('beforeLength')?.[gap] ?? 0,
      values.get('length')?.[gap] ?? 0,
      values.get('topicBest')?.[gap] ?? 0,
    ];
  });
}
