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

/** A conversation with its features; `set` names what it weighs with. */
export type BoundaryExample = {
  set: string;
  source: string;
  turns: number;
  boundaries: readonly number[];
  features: BoundaryFeatures;
  /** Features and boundaries of its pieces, only to fit on. */
  windows: readonly Pick<BoundaryExample, 'boundaries' | 'features'>[];
};

/** L2 penalty on the weights, for rows of weight 1 on average. */
const PENALTY = 250;
/** What a topic of one turn costs: 0.5 to 2 score alike, with fewer slivers for more. */
const SINGLE = 1;

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

/** Cues carry worse from one kind of talk to another than measures do: the penalty presses them harder. */
const CUE_CAUTION = 1.5;

type Scale = readonly [mean: number, deviation: number];

function scaleOf(values: readonly number[]): Scale {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return [mean, Math.sqrt(variance) || 1];
}

/**
 * Fits one logistic regression to all sets, each weighing the same. Squares are left out for features
 * of two values, where they say nothing new.
 */
export function fitBoundaries(
  examples: readonly BoundaryExample[],
  threshold: number,
): BoundaryWeights {
  const filled = examples
    .flatMap(({ set, windows, ...whole }) => [whole, ...windows].map((own) => ({ ...own, set })))
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

/** What a row of each set counts: all sets the same together, a row 1 on average. */
function shares(
  examples: readonly Pick<BoundaryExample, 'set' | 'features'>[],
): Map<string, number> {
  const rows = new Map<string, number>();
  for (const { set, features } of examples) rows.set(set, (rows.get(set) ?? 0) + features.gaps);
  const all = [...rows.values()].reduce((sum, count) => sum + count, 0);
  return new Map([...rows].map(([set, count]) => [set, all / rows.size / count]));
}
