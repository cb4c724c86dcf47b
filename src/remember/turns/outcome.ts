import type { TurnNumbers } from '../../db/turns/placements.ts';
import type { Bounded, KnownTurn } from './bound-thread.ts';
import type { Received } from './receive.ts';

/** The result for one turn of the input. */
export type RememberedTurn =
  | { status: 'STORED' | 'ALREADY_STORED'; turn: KnownTurn }
  | { status: 'FORGOTTEN'; turn: null };

/** The results of a call, in the order of its input. */
export function outcome(
  userId: string,
  received: Received,
  {
    placement,
    alreadyStored,
    forgotten,
    numbers,
    now,
  }: Bounded & { numbers?: TurnNumbers | undefined; now: Date },
): RememberedTurn[] {
  const results = new Map<number, RememberedTurn>();
  for (const { index, timeGiven: _, keyHash: __, ...turn } of placement.turns) {
    const number = numbers?.get(turn.id) ?? turn.number;
    const stored = { ...turn, userId, number, recordedAt: now, unreadByRules: false };
    results.set(index, { status: 'STORED', turn: stored });
  }
  for (const [index, turn] of alreadyStored) results.set(index, { status: 'ALREADY_STORED', turn });
  for (const index of forgotten) results.set(index, { status: 'FORGOTTEN', turn: null });
  for (const [index, earlier] of received.repeats) {
    const result = results.get(earlier) as RememberedTurn;
    results.set(index, result.turn ? { ...result, status: 'ALREADY_STORED' } : result);
  }
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
