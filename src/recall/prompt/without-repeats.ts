import { isRestatedBy } from '../../domain/turns/restated.ts';
import { isIn, stretchOf } from '../../domain/turns/stretch.ts';
import type { Hit } from '../assemble.ts';

/** Turns up to this rank are certain to be given, so facts that repeat them are left out. */
const SURE = 6;

/**
 * Leaves out facts that repeat one of the first turns, and episodes that a summary or a better episode contains. Episodes of
 * which one of the first turns is given come last.
 */
export function withoutRepeats(
  hits: readonly Hit[],
  summaries: readonly { text: string }[],
): Hit[] {
  const shownTexts = summaries.map(({ text }) => text);
  const isNew = (hit: Hit): boolean => {
    if (hit.kind !== 'EPISODE') return true;
    const { summary } = hit.episode;
    if (isRestatedBy(summary, shownTexts)) return false;
    shownTexts.push(summary);
    return true;
  };
  const turns = hits.flatMap((hit) => (hit.kind === 'TURN' ? [hit.turn] : []));
  const sure = turns.slice(0, SURE);
  const isPartlyGiven = (hit: Hit): boolean => {
    if (hit.kind !== 'EPISODE') return false;
    const stretch = stretchOf(hit.episode);
    return sure.some((turn) => isIn(stretch, turn));
  };
  return hits
    .filter(isNew)
    .filter(
      (hit) => hit.kind !== 'FACT' || !sure.some(({ text }) => text.includes(hit.fact.statement)),
    )
    .sort((a, b) => Number(isPartlyGiven(a)) - Number(isPartlyGiven(b)));
}
