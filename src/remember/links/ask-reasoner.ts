import type { Context } from '../../context.ts';
import type { ComparedTurn as Turn } from '../../db/links/compared-turns.ts';
import {
  algorithmicAssessment,
  algorithmicScore,
  holdsStill,
  type LinkingParts,
  type LinkingSetting,
} from '../../domain/links/linking.ts';
import type { ReasonerAssessment } from '../../reasoner/reasoner.ts';
import type { Pair } from './assess-pair.ts';

/**
 * The reasoner's assessments of pairs, in their order. One request covers all pairs without an earlier assessment, or whose
 * earlier one no longer applies.
 * @param compared the algorithm's comparisons in progress, awaited only for pairs with an earlier assessment
 */
export async function askReasoner(
  { reasoner }: Context,
  userId: string,
  {
    setting: { threshold, weights, hints },
    message,
    pairs,
    compared,
    timeZone,
  }: {
    setting: LinkingSetting;
    message: Turn[];
    pairs: readonly Pair[];
    compared: readonly Promise<LinkingParts>[];
    timeZone: string | null;
  },
): Promise<ReasonerAssessment[]> {
  const kept = await Promise.all(
    pairs.map(async ({ assessed }, at) => {
      if (assessed === null) return null;
      const { score } = algorithmicScore((await compared[at]) as LinkingParts, weights);
      return holdsStill(assessed, algorithmicAssessment(score, threshold)) ? assessed : null;
    }),
  );
  const due = pairs.filter((_, at) => kept[at] === null);
  if (due.length === 0) return kept as ReasonerAssessment[];
  const threads = due.map(({ earlier: { summary, turns } }) => ({ summary, turns }));
  const input = { threads, message, hints: [...hints], timeZone };
  const { assessments } = await reasoner.assessRelatedness(input, { userId });
  const fresh = assessments.values();
  return kept.map((earlier) => earlier ?? (fresh.next().value as ReasonerAssessment));
}
