import type { Context } from '../context.ts';
import type { Ranked } from '../domain/ranking.ts';
import type { Found } from './retrieve.ts';

type FoundTurn = Found['turns'][number];
type Turn = Awaited<ReturnType<Context['store']['turns']['inStretches']>>[number];

/** One answer: a turn, what was said around it, and why it stands where it stands. */
export type Hit = {
  rank: number;
  score: number;
  turn: Turn;
  before: Turn[];
  after: Turn[];
  ranked: Ranked<FoundTurn>;
};

/**
 * Fetches the turns of the best hits, with as many neighbours on each side as are asked for, none
 * of them said after `asOf`. What was forgotten since it was found is left out.
 */
export async function assemble(
  ctx: Context,
  userId: string,
  best: readonly Ranked<FoundTurn>[],
  neighbours: number,
  asOf: Date | null,
): Promise<Hit[]> {
  if (best.length === 0) return [];
  const turns = await ctx.db.asUser(userId, (tx) =>
    ctx.store.turns.inStretches(
      tx,
      userId,
      best.map(({ candidate: { threadId, number } }) => ({
        threadId,
        from: number - neighbours,
        to: number + neighbours,
      })),
    ),
  );
  const byPlace = new Map(turns.map((turn) => [`${turn.threadId} ${turn.number}`, turn]));
  const at = (threadId: number, from: number, to: number) => {
    const found: Turn[] = [];
    for (let number = from; number <= to; number += 1) {
      const turn = byPlace.get(`${threadId} ${number}`);
      if (turn && (asOf === null || turn.occurredAt <= asOf)) found.push(turn);
    }
    return found;
  };
  return best.flatMap((ranked, index) => {
    const { id, threadId, number } = ranked.candidate;
    const turn = byPlace.get(`${threadId} ${number}`);
    // A late turn or a forget since the search may have moved another turn to this place.
    if (turn?.id !== id) return [];
    const before = at(threadId, number - neighbours, number - 1);
    const after = at(threadId, number + 1, number + neighbours);
    return [{ rank: index + 1, score: ranked.score, turn, before, after, ranked }];
  });
}
