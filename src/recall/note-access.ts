import type { Context } from '../context.ts';
import type { Hit } from './assemble.ts';
import type { KnownFact } from './known-facts.ts';

const DAY = 86_400_000;

/** Notes that facts were recalled, at most once a day and without holding up the answer. */
export function noteAccess(
  ctx: Context,
  userId: string,
  facts: readonly KnownFact[],
  hits: readonly Hit[],
): void {
  const now = ctx.clock();
  const recalled = [...facts, ...hits.flatMap((hit) => (hit.kind === 'FACT' ? [hit.fact] : []))];
  const due = recalled.filter(
    ({ lastAccessedAt: last }) => last === null || now.getTime() - last.getTime() > DAY,
  );
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id).sort((a, b) => a - b);
  void ctx.db
    .asUser(userId, (tx) => ctx.store.recalled.touchFacts(tx, userId, ids, now))
    .catch((error: unknown) => ctx.logger.warn({ userId, err: error }, 'recall.note_failed'));
}
