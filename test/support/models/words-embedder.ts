import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import { profileOf } from '../../../src/embedder/core/profile.ts';
import { seededRandom } from '../../../tools/support/random.ts';

/** The sum of a direction for each word: texts that share words are near each other. */
export function directionOf(text: string, dimension: number): Float32Array {
  const sum = new Float32Array(dimension);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? ['']) {
    const random = seededRandom(
      [...word].reduce((seed, sign) => Math.imul(seed ^ sign.charCodeAt(0), 16_777_619), 7),
    );
    for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] ?? 0) + random() - 0.5;
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/** An embedder that knows words and nothing of what they mean. */
export const wordsEmbedder = (dimension: number): Embedder => ({
  name: 'words/1',
  dimension,
  profile: profileOf('words'),
  identify: async () => ({ name: 'words/1', dimension }),
  embed: async (texts) => texts.map((text) => directionOf(text, dimension)),
  [Symbol.asyncDispose]: async () => {},
});
