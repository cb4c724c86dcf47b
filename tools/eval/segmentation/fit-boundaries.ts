import {
  type BoundaryFeatures,
  boundaryFeatures,
} from '../../../src/domain/segments/boundary-features.ts';
import {
  type BoundaryWeights,
  expand,
  type FeatureWeights,
} from '../../../src/domain/segments/boundary-model.ts';
import type { Dialogue, Embedded } from './dialogues.ts';
import { fitSparse } from './fit-sparse.ts';
import { windowsOf } from './windows.ts';

/** A conversation with its features. All conversations of a `set` together have the same weight as those of another. */
export type BoundaryExample = {
  set: string;
  source: string;
  turns: number;
  boundaries: readonly number[];
  features: BoundaryFeatures;
  /** Features and boundaries of parts of it, which are used only to fit. */
  windows: readonly Pick<BoundaryExample, 'boundaries' | 'features'>[];
};

/** L2 penalty on the weights, for rows of weight 1 on average. */
const PENALTY = 250;
/** The cost of a topic of one turn. 0.5 to 2 score alike; higher values give fewer such topics. */
const SINGLE = 1;

/** Computes the features of a dialogue and of parts of it. */
export function exampleOf(
  set: string,
  dialogue: Embedded<Dialogue>,
  withVectors: boolean,
): BoundaryExample {
  const read = ({ utterances, vectors, boundaries }: Embedded<Dialogue>) => ({
    boundaries,
    features: boundaryFeatures(utterances, withVectors ? vectors : null),
  });
  const { source, utterances } = dialogue;
  const windows = windowsOf(dialogue, utterances.join().length).map(read);
  return { set, source, turns: utterances.length, ...read(dialogue), windows };
}

/** Cues carry over to other kinds of conversation less well than measures, so their penalty is higher by this factor. */
const CUE_CAUTION = 1.5;

type Scale = readonly [mean: number, deviation: number];

function scaleOf(values: readonly number[]): Scale {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return [mean, Math.sqrt(variance) || 1];
}

/**
 * Fits one logistic regression to all sets, with the same weight for each. Omits the squares of features with two values,
 * where they add no information.
 */
export function fitBoundaries(
  examples: readonly BoundaryExample[],
  threshold: number,
): BoundaryWeights {
  const filled = examples
    .flatMap(({ set, windows, ...whole }) =>
      [whole, ...windows].map((piece) => ({ ...piece, set })),
    )
    .filter(({ features }) => features.gaps > 0);
  const names = [...(filled[0]?.features.values.keys() ?? [])];
  const columns = names.map((name) => filled.flatMap((one) => one.features.values.get(name) ?? []));
  const squared = columns.map((column) => new Set(column).size > 2);
  const scales = columns.map((column, at): Scale => {
    const [mean, deviation] = scaleOf(column);
    return [mean, squared[at] ? deviation : deviation * CUE_CAUTION];
  });
  const kind = {
    task: scaleOf(filled.map(({ features }) => features.kind.task)),
    chat: scaleOf(filled.map(({ features }) => features.kind.chat)),
  };
  const rows: Float64Array[] = [];
  const outcomes: number[] = [];
  const counts: number[] = [];
  const share = shares(filled);
  for (const { set, boundaries, features } of filled) {
    const task = (features.kind.task - kind.task[0]) / kind.task[1];
    const chat = (features.kind.chat - kind.chat[0]) / kind.chat[1];
    const opening = new Set(boundaries);
    for (let gap = 0; gap < features.gaps; gap++) {
      const parts = names.flatMap((name, at) => {
        const [mean, deviation] = scales[at] ?? [0, 1];
        const z = ((features.values.get(name)?.[gap] ?? 0) - mean) / deviation;
        const [plain, byTask, byChat, square] = expand(z, task, chat);
        return [plain, byTask, byChat, squared[at] ? square : 0];
      });
      rows.push(Float64Array.from([1, ...parts]));
      outcomes.push(opening.has(gap + 1) ? 1 : 0);
      counts.push(share.get(set) ?? 1);
    }
  }
  const [intercept = 0, ...weights] = fitSparse(rows, outcomes, counts, PENALTY);
  const features = names.map((name, at): [string, FeatureWeights] => {
    const [mean, deviation] = scales[at] ?? [0, 1];
    const [plain = 0, task = 0, chat = 0, square = 0] = weights.slice(at * 4, at * 4 + 4);
    return [name, [mean, deviation, plain, task, chat, square]];
  });
  return { intercept, threshold, single: SINGLE, kind, features: Object.fromEntries(features) };
}

/** Returns the weight of a row of each set, so that all sets have the same total weight and the mean weight of a row is 1. */
function shares(
  examples: readonly Pick<BoundaryExample, 'set' | 'features'>[],
): Map<string, number> {
  const rows = new Map<string, number>();
  for (const { set, features } of examples) rows.set(set, (rows.get(set) ?? 0) + features.gaps);
  const all = [...rows.values()].reduce((sum, count) => sum + count, 0);
  return new Map([...rows].map(([set, count]) => [set, all / rows.size / count]));
}
