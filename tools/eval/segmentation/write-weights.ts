import type { BoundaryWeights } from '../../../src/domain/segments/boundary-model.ts';
import { countsOf, type DialogueSet } from './dialogues.ts';
import type { SegmentationScores } from './segmentation-scores.ts';

type Fitted = {
  step: string;
  weights: BoundaryWeights;
  crossValidated: ReadonlyMap<string, SegmentationScores>;
};

const round = (value: number) => Number(value.toPrecision(4));
const list = (values: readonly number[]) => `[${values.map(round).join(', ')}]`;
const indent = (lines: readonly string[], by = 2) =>
  lines.map((line) => `${' '.repeat(by)}${line}`).join('\n');

/** Returns the text of `boundary-weights.ts`. Four digits are enough: the scores do not change beyond the third. */
export function writeWeights(
  sets: readonly DialogueSet[],
  embedder: string,
  fitted: readonly Fitted[],
): string {
  const figures = fitted.flatMap(({ step, crossValidated }) =>
    [...crossValidated].map(
      ([set, { pk, f1 }]) => ` * - ${step}, ${set}: Pk ${pk.toFixed(3)}, F1 ${f1.toFixed(3)}`,
    ),
  );
  return `// Written by npm run fit:segmentation; do not edit by hand.

/** What was fitted on: figures for these files have to be cross-validated. */
export const FITTED_ON = [
${sets.map(fittedOn).join('\n')}
] as const;

/**
 * A logistic regression over the features of boundary-features.ts, vectors by ${embedder}. All sets weigh the
 * same. Each feature: mean, deviation, weight, weight × task talk, weight × chat, weight of the square.
 * Cross-validated, five folds by conversation:
${figures.join('\n')}
 */
export const BOUNDARY_WEIGHTS = {
${fitted.map(({ step, weights }) => indent(model(step, weights))).join('\n')}
} as const;
`;
}

function fittedOn(set: DialogueSet): string {
  const { name, sha256, conversations, turns, boundaries } = countsOf(set);
  return indent([
    '{',
    `  name: '${name}',`,
    `  sha256: '${sha256}',`,
    `  conversations: ${conversations},`,
    `  turns: ${turns},`,
    `  boundaries: ${boundaries},`,
    '},',
  ]);
}

const model = (step: string, { intercept, threshold, single, kind, features }: BoundaryWeights) => [
  `${step}: {`,
  `  intercept: ${round(intercept)},`,
  `  threshold: ${round(threshold)},`,
  `  single: ${single},`,
  `  kind: { task: ${list(kind.task)}, chat: ${list(kind.chat)} },`,
  '  features: {',
  ...Object.entries(features).map(([name, weights]) => `    ${name}: ${list(weights)},`),
  '  },',
  '},',
];
