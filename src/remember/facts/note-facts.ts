import type { Needs } from '../../context.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import type { Memory } from '../../memory.ts';
import { reconcileCandidates } from './reconcile-facts.ts';

/** A turn, and the facts that patterns found in it. */
type TurnFacts = { turn: { id: number; occurredAt: Date }; facts: TurnReading['facts'] };

/**
 * Stores facts found by pattern, in the transaction of the hot path (requirements 9.6): email, phone, website, names and
 * denials that a turn states without its context. All other facts are extracted in the background.
 */
export async function noteFacts(
  ctx: Needs<'rules' | 'logger' | 'metrics'>,
  memory: Memory,
  read: readonly TurnFacts[],
): Promise<void> {
  const candidates = read.flatMap(({ turn, facts }) =>
    facts.map(({ turn: _, ...candidate }) => ({
      ...candidate,
      at: turn.occurredAt,
      turnId: turn.id,
      origin: 'PATTERN' as const,
      model: ctx.rules.name,
    })),
  );
  if (candidates.length > 0) await reconcileCandidates(ctx, memory, candidates);
}
