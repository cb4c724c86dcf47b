import type { Logistic } from '../../../src/domain/core/logistic.ts';
import { NOTE_FEATURES } from '../../../src/reasoner/extractive/facts/notes/note-features.ts';

/** Returns the text of `note-weights.ts`. */
export function writeNoteWeights(
  { intercept, weights }: Logistic,
  files: readonly string[],
  figures: Readonly<Record<string, number>>,
): string {
  const lines = weights.map((weight, at) => `    ${weight.toFixed(3)}, // ${NOTE_FEATURES[at]}`);
  return `// Written by npm run fit:notes; do not edit by hand.

/**
 * A logistic regression over the features of note-features.ts. Fitted on ${files.length} files: figures for them have to be
 * cross-validated, which gave ${JSON.stringify(figures)}
 */
export const NOTE_WEIGHTS = {
  intercept: ${intercept.toFixed(3)},
  weights: [
${lines.join('\n')}
  ],
};
`;
}
