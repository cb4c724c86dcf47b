import type { Context } from '../context.ts';
import type { PlacedTurn } from '../domain/placement.ts';
import { settleClaims } from './settle-claims.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];
export type TurnReading = Awaited<ReturnType<Context['rules']['readTurns']>>[number];

/**
 * Facts by pattern, in the transaction of the hot path (seed 003 §2.4): email, phone, website, names and denials that a
 * turn states by itself. The rest is learned in the background.
 * @param readings what the rules read off each turn, by its place in the input
 */
export async function noteFacts(
  ctx: Context,
  tx: Tx,
  userId: string,
  turns: readonly PlacedTurn[],
  readings: ReadonlyMap<number, TurnReading>,
  now: Date,
): Promise<void> {
  const claims = turns.flatMap((turn) =>
    (readings.get(turn.index)?.facts ?? []).map(({ turn: _, ...candidate }) => ({
      ...candidate,
      at: turn.occurredAt,
      turnId: turn.id,
      origin: 'PATTERN' as const,
      model: ctx.rules.name,
    })),
  );
  if (claims.length > 0) await settleClaims(ctx, tx, userId, claims, now);
}
