import type { Context } from '../context.ts';
import { settleClaims } from './settle-claims.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];
export type TurnReading = Awaited<ReturnType<Context['rules']['readTurns']>>[number];

/** A turn, and the facts that it states by itself. */
type ReadTurn = { turn: { id: number; occurredAt: Date }; facts: TurnReading['facts'] };

/**
 * Facts by pattern, in the transaction of the hot path (seed 003 §2.4): email, phone, website, names and denials that a
 * turn states by itself. The rest is learned in the background.
 */
export async function noteFacts(
  ctx: Context,
  tx: Tx,
  userId: string,
  read: readonly ReadTurn[],
  now: Date,
): Promise<void> {
  const claims = read.flatMap(({ turn, facts }) =>
    facts.map(({ turn: _, ...candidate }) => ({
      ...candidate,
      at: turn.occurredAt,
      turnId: turn.id,
      origin: 'PATTERN' as const,
      model: ctx.rules.name,
    })),
  );
  if (claims.length > 0) await settleClaims(ctx, tx, userId, claims, now);
}
