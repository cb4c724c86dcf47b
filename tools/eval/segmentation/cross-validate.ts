import { boundaryLogits, cutAt } from '../../../src/domain/segments/boundary-model.ts';
import { type BoundaryExample, fitBoundaries } from './fit-boundaries.ts';
import { type SegmentationScores, scoreSegmentation } from './segmentation-scores.ts';

const FOLDS = 5;

/** A conversation with the log odds of a model that was not fitted on it. */
export type Judged = { example: BoundaryExample; logits: number[] };

const judge =
  (training: readonly BoundaryExample[]) =>
  (judged: readonly BoundaryExample[]): Judged[] => {
    const weights = fitBoundaries(training, 0);
    return judged.map((example) => ({
      example,
      logits: boundaryLogits(example.features, weights),
    }));
  };

/** Judges every conversation by a fit on the other folds of all sets. Conversations of the same source are in the same fold. */
export function judgeFolds(examples: readonly BoundaryExample[], onFold = () => {}): Judged[] {
  const foldOf = new Map<string, number>();
  const sources = new Map<string, number>();
  for (const { set, source } of examples) {
    const key = `${set}\n${source}`;
    if (foldOf.has(key)) continue;
    const count = sources.get(set) ?? 0;
    foldOf.set(key, count % FOLDS);
    sources.set(set, count + 1);
  }
  const foldFor = ({ set, source }: BoundaryExample) => foldOf.get(`${set}\n${source}`);
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const out = examples.filter((example) => foldFor(example) === fold);
    if (out.length === 0) return [];
    const judged = judge(examples.filter((example) => foldFor(example) !== fold))(out);
    onFold();
    return judged;
  });
}

/** Judges every set by a fit on the others: how well the model carries over to other kinds of conversation. */
export function judgeSets(examples: readonly BoundaryExample[]): Judged[] {
  const sets = [...new Set(examples.map(({ set }) => set))];
  return sets.flatMap((set) =>
    judge(examples.filter((example) => example.set !== set))(
      examples.filter((example) => example.set === set),
    ),
  );
}

/** Returns the scores of each set when this threshold and cost of single turns decide the cuts. */
export function scoreJudged(
  judged: readonly Judged[],
  setting: { threshold: number; single: number },
): Map<string, SegmentationScores> {
  const sets = [...new Set(judged.map(({ example }) => example.set))];
  return new Map(
    sets.map((set) => [
      set,
      scoreSegmentation(
        judged
          .filter(({ example }) => example.set === set)
          .map(({ example: { turns, boundaries }, logits }) => ({
            turns,
            boundaries,
            found: cutAt(logits, setting).map(({ index }) => index),
          })),
      ),
    ]),
  );
}

/** Returns the threshold with the best mean of F1 − Pk over the sets. */
export function chooseThreshold(judged: readonly Judged[], single: number): number {
  const candidates = Array.from({ length: 41 }, (_, step) => (step - 30) / 20);
  const worth = candidates.map((threshold) => {
    const scores = [...scoreJudged(judged, { threshold, single }).values()];
    return scores.reduce((sum, { f1, pk }) => sum + f1 - pk, 0);
  });
  return candidates[worth.indexOf(Math.max(...worth))] ?? 0;
}
