import { isRestatedBy, joinWithoutRepeats } from '../turns/restated.ts';
import { componentsOf } from './linking.ts';

/** A thread and the cross-thread episode that it is a part of. */
export type GroupedThread = { id: number; episodeId: number | null };

/** A change to a cross-thread episode. */
export type Regrouped = {
  change: 'CREATED' | 'EXTENDED' | 'MERGED' | 'REDUCED';
  /** Null: a new episode. */
  episodeId: number | null;
  threadIds: number[];
  /** Other episodes that are merged into it. */
  merged: number[];
};

/**
 * How cross-thread episodes change so that they are the connected components of the links (requirements 11.9). An episode whose
 * threads fall apart stays with the most of them; where several meet, the earliest takes in the others.
 * @param threads all threads of the episodes concerned
 * @param pairs the pairs of threads that are linked
 */
export function regroup(
  threads: readonly GroupedThread[],
  pairs: readonly (readonly [number, number])[],
): { groups: Regrouped[]; dissolved: number[] } {
  const components = componentsOf(pairs);
  const episodeOf = new Map(threads.map(({ id, episodeId }) => [id, episodeId]));
  const members = new Map<number, number[]>();
  for (const { id, episodeId } of threads) {
    if (episodeId === null) continue;
    const own = members.get(episodeId);
    if (own) own.push(id);
    else members.set(episodeId, [id]);
  }
  const homes = new Map([...members].map(([episode, own]) => [episode, homeOf(own, components)]));
  const groups = components.flatMap((threadIds): Regrouped[] => {
    const [episodeId = null, ...merged] = [...homes]
      .filter(([, home]) => home === threadIds)
      .map(([episode]) => episode)
      .sort((a, b) => a - b);
    const former = episodeId === null ? [] : (members.get(episodeId) ?? []);
    const group = new Set(threadIds);
    const isLess = former.some((id) => !group.has(id));
    const isMore = threadIds.some((id) => episodeOf.get(id) !== episodeId);
    if (episodeId !== null && !isLess && !isMore) return [];
    const change = changeOf({ isNew: episodeId === null, isMerged: merged.length > 0, isLess });
    return [{ change, episodeId, threadIds, merged }];
  });
  const dissolved = [...homes].filter(([, home]) => home === null).map(([episode]) => episode);
  return { groups, dissolved };
}

function changeOf(to: { isNew: boolean; isMerged: boolean; isLess: boolean }) {
  if (to.isNew) return 'CREATED' as const;
  if (to.isLess) return 'REDUCED' as const;
  return to.isMerged ? ('MERGED' as const) : ('EXTENDED' as const);
}

/** The component that contains most of some threads; null if none contains any. */
function homeOf(threads: readonly number[], components: readonly number[][]): number[] | null {
  const own = new Set(threads);
  let home: number[] | null = null;
  let most = 0;
  for (const component of components) {
    const shared = component.filter((id) => own.has(id)).length;
    if (shared > most) [home, most] = [component, shared];
  }
  return home;
}

/** Titles and summaries as one text, without repetitions. */
export const combinedText = (
  parts: readonly { title: string | null; summary: string | null }[],
): string =>
  joinWithoutRepeats(
    parts.flatMap(({ title, summary }) => {
      const addsSummary = title === null || summary === null || !isRestatedBy(summary, [title]);
      return (addsSummary ? [title, summary] : [title]).filter((text) => text !== null);
    }),
  );
