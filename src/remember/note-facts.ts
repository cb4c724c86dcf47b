import type { Context } from '../context.ts';
import type { PlacedTurn } from '../domain/placement.ts';
import { settleClaims } from './settle-claims.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

/** Of a larger batch the background takes the facts: an import must not wait for them. */
const MOST_TURNS = 20;
const LONGEST = 2_000;

/** Only what has one of these can hold what a pattern finds: addresses, numbers, names, denials. */
const WORTH_READING =
  /@|https?:|www\.|\.\p{L}{2,}\b|\d[\d\s().+/-]{5,}|\bname\b|\bcall me\b|\b(?:don't|don’t|do not|never|no longer|not|can't|can’t|cannot|stopped|quit|hate)\b/iu;

/**
 * Facts by pattern, in the transaction of the hot path (seed 003 §2.4): email, phone, website, names and denials that a
 * turn states by itself. The rest is learned in the background.
 */
export async function noteFacts(
  ctx: Context,
  tx: Tx,
  userId: string,
  turns: readonly Pick<PlacedTurn, 'id' | 'role' | 'speaker' | 'text' | 'occurredAt'>[],
  now: Date,
): Promise<void> {
  if (turns.length > MOST_TURNS) return;
  const read = turns.filter(
    ({ role, text }) => role === 'USER' && text.length <= LONGEST && WORTH_READING.test(text),
  );
  const claims = read.flatMap((turn) =>
    ctx.patterns.read(turn).map(({ turn: _, ...candidate }) => ({
      ...candidate,
      at: turn.occurredAt,
      turnId: turn.id,
      origin: 'PATTERN' as const,
      model: ctx.patterns.name,
    })),
  );
  if (claims.length > 0) await settleClaims(ctx, tx, userId, claims, now);
}
