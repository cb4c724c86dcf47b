import type { MemoryContext, Needs } from '../context.ts';
import type { KnownFact } from '../db/facts/recalled.ts';
import { DAY } from '../shared/duration.ts';
import type { Hit } from './assemble.ts';

/** Records when the facts of an answer were last recalled, at most once a day, without delaying the answer. */
export function touchRecalled(
  ctx: MemoryContext & Needs<'logger'>,
  userId: string,
  { facts, hits }: { facts: readonly KnownFact[]; hits: readonly Hit[] },
): void {
  const now = ctx.clock();
  const recalled = [...facts, ...hits.flatMap((hit) => (hit.kind === 'FACT' ? [hit.fact] : []))];
  const due = recalled.filter(
    ({ lastAccessedAt: last }) => last === null || now.getTime() - last.getTime() > DAY,
  );
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id).sort((a, b) => a - b);
  void ctx
    .memory(userId)
    .write((memory) => memory.recalled.touchFacts(ids, now), { lock: false })
    .catch((error: unknown) => ctx.logger.warn({ userId, err: error }, 'recall.note_failed'));
}
