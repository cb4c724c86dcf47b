import { cuesOf } from '../../language/en/boundary-cues.ts';
import { announcesTopic, opensAlso, refersBack } from '../../language/en/topic-announced.ts';
import type { Role } from '../core/role.ts';
import type { BoundaryFeatures } from './boundary-features.ts';

/** A turn as far as it matters who says what when. */
export type ToldTurn = { role: Role; text: string; occurredAt: Date };

const MINUTE = 60_000;
/** A longer pause says no more. */
const LONGEST_PAUSE = 60;

const pauseBefore = (turn: ToldTurn, before: ToldTurn) =>
  turn.occurredAt.getTime() - before.occurredAt.getTime();

/** An assistant that speaks of itself more often than so may be a person, as in talk that was written down. */
const ABOUT_ITSELF = 0.1;

/**
 * Whether a person talks with a machine: then it is the person who opens topics, and pauses tell something. Roles and
 * times may be made up, as those of a talk between two people that was written down without either: times that lie
 * evenly are, so that what the assistant says must show what it is.
 */
export function areExchanges(turns: readonly ToldTurn[]): boolean {
  const answers = turns.filter(({ role }) => role === 'ASSISTANT');
  if (answers.length === 0 || answers.length === turns.length) return false;
  const pauses = turns.slice(1).map((turn, at) => pauseBefore(turn, turns[at] as ToldTurn));
  if (new Set(pauses).size > 1) return true;
  const own = answers.filter(({ text }) => cuesOf(text).me === 1).length;
  return own <= answers.length * ABOUT_ITSELF;
}

/** What the gap before each turn but the first shows in such talk; `logits`: of the model of any talk, over its threshold. */
export function exchangeFeatures(
  turns: readonly ToldTurn[],
  { values }: Pick<BoundaryFeatures, 'values'>,
  logits: readonly number[],
): number[][] {
  return turns.slice(1).map((turn, gap) => {
    const pause = pauseBefore(turn, turns[gap] as ToldTurn) / MINUTE;
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
