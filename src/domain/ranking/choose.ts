import type { MemoryKind } from '../core/memory-kind.ts';
import type { Intent } from './memory-ranking.ts';
import { byScore, type Scored } from './scored.ts';

/**
 * How many hits of a kind an answer has (requirements 12.8): ordinary questions get 2 to 3 episodes; questions for earlier
 * talk get more, and a semantic memory. `least` are included even if others score higher.
 */
const QUOTAS: Partial<Record<MemoryKind, Record<Intent, { least: number; most: number }>>> = {
  EPISODE: { ORDINARY: { least: 2, most: 3 }, RECALL: { least: 3, most: 12 } },
  SEMANTIC_MEMORY: { ORDINARY: { least: 0, most: 3 }, RECALL: { least: 1, most: 3 } },
  SKILL: { ORDINARY: { least: 0, most: 3 }, RECALL: { least: 0, most: 3 } },
};

/** With fewer hits than this, `least` is ignored. */
const ENOUGH = 5;

/**
 * The best scored candidates, best first, within the quotas of their kinds.
 * @param first the number of hits
 * @param mostFacts the most facts among them
 */
export function choose(
  scored: readonly Scored[],
  intent: Intent,
  { first, mostFacts }: { first: number; mostFacts: number },
): Scored[] {
  const allowed = withinQuotas(scored, intent, { first, mostFacts });
  const chosen = allowed.slice(0, first);
  return first < ENOUGH ? chosen : withLeast(chosen, allowed.slice(first), intent);
}

/** The scored candidates without those of which an answer has better ones of the same kind, as many as it may have; best first. */
export function withinQuotas(
  scored: readonly Scored[],
  intent: Intent,
  { first, mostFacts }: { first: number; mostFacts: number },
): Scored[] {
  const ordered = [...scored].sort(byScore);
  const most = (kind: MemoryKind) =>
    kind === 'FACT' ? mostFacts : (QUOTAS[kind]?.[intent].most ?? first);
  const taken = new Map<MemoryKind, number>();
  return ordered.filter(({ kind }) => {
    const count = (taken.get(kind) ?? 0) + 1;
    taken.set(kind, count);
    return count <= most(kind);
  });
}

/** Replaces the last hits by those that the quotas require. */
function withLeast(chosen: readonly Scored[], others: readonly Scored[], intent: Intent): Scored[] {
  const due = Object.entries(QUOTAS).flatMap(([kind, quota]) => {
    const there = chosen.filter((one) => one.kind === kind).length;
    const missing = Math.max(0, quota[intent].least - there);
    return others.filter((one) => one.kind === kind).slice(0, missing);
  });
  const kinds = new Set(due.map(({ kind }) => kind));
  const giving = [...chosen]
    .reverse()
    .filter(({ kind }) => !kinds.has(kind) && !QUOTAS[kind]?.[intent].least);
  const gone = new Set(giving.slice(0, Math.min(due.length, giving.length - 1)));
  const room = chosen.filter((one) => !gone.has(one));
  return [...room, ...due.slice(0, gone.size)].sort(byScore);
}
