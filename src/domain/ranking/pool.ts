import type { MemoryKind } from '../core/memory-kind.ts';
import type { Intent, RankedMemory } from './memory-ranking.ts';
import type { Ranked } from './ranking.ts';

/** A candidate of the last ranking, whatever its kind. */
export type Entry<Turn> =
  | { kind: 'TURN'; score: number; turn: RankedTurn<Turn> }
  | { kind: RankedMemory['candidate']['kind']; score: number; memory: RankedMemory };

/** A turn with what its fading does to its score. */
export type RankedTurn<Turn> = Ranked<Turn> & {
  retrievability: number | null;
  forgetting: number;
  kindWeight: number;
};

/**
 * How many of a kind are among the hits (requirements 12.8): ordinary questions get 2 to 3 episodes, those for earlier talk
 * more of them, and a recap. The least come even where others score higher.
 */
const QUOTAS: Partial<Record<MemoryKind, Record<Intent, { least: number; most: number }>>> = {
  EPISODE: { ORDINARY: { least: 2, most: 3 }, RECALL: { least: 3, most: 12 } },
  SEMANTIC_MEMORY: { ORDINARY: { least: 0, most: 3 }, RECALL: { least: 1, most: 3 } },
  SKILL: { ORDINARY: { least: 0, most: 3 }, RECALL: { least: 0, most: 3 } },
};

/** Of so few hits none is given away. */
const ENOUGH = 5;

/**
 * The best entries of the pool, best first, within the quotas of their kinds.
 * @param first how many
 * @param mostFacts how many of them are facts at most
 */
export function choose<Turn>(
  pool: readonly Entry<Turn>[],
  intent: Intent,
  { first, mostFacts }: { first: number; mostFacts: number },
): Entry<Turn>[] {
  const ordered = [...pool].sort((a, b) => b.score - a.score);
  const most = (kind: MemoryKind) =>
    kind === 'FACT' ? mostFacts : (QUOTAS[kind]?.[intent].most ?? first);
  const taken = new Map<MemoryKind, number>();
  const allowed = ordered.filter(({ kind }) => {
    const count = (taken.get(kind) ?? 0) + 1;
    taken.set(kind, count);
    return count <= most(kind);
  });
  const chosen = allowed.slice(0, first);
  return first < ENOUGH ? chosen : withLeast(chosen, allowed.slice(first), intent);
}

/** The last entries make room for the kinds that have a right to be there. */
function withLeast<Turn>(
  chosen: readonly Entry<Turn>[],
  others: readonly Entry<Turn>[],
  intent: Intent,
): Entry<Turn>[] {
  const due = Object.entries(QUOTAS).flatMap(([kind, quota]) => {
    const there = chosen.filter((entry) => entry.kind === kind).length;
    const missing = Math.max(0, quota[intent].least - there);
    return others.filter((entry) => entry.kind === kind).slice(0, missing);
  });
  const kinds = new Set(due.map(({ kind }) => kind));
  const giving = [...chosen]
    .reverse()
    .filter(({ kind }) => !kinds.has(kind) && !QUOTAS[kind]?.[intent].least);
  const gone = new Set(giving.slice(0, Math.min(due.length, giving.length - 1)));
  const room = chosen.filter((entry) => !gone.has(entry));
  return [...room, ...due.slice(0, gone.size)].sort((a, b) => b.score - a.score);
}
