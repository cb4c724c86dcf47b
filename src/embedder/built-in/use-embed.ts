import { createModel, DIMENSION, MAX_TOKENS } from './use-model.ts';
import { createTokenizer } from './use-tokenizer.ts';
import { openModelFiles } from './use-weights.ts';

/**
 * A longer text is embedded in so many pieces of `MAX_TOKENS`, the rest left out: 1,024 tokens, about 4,400 characters of
 * English, cost a tenth of a second. Their mean, weighted by length, found LoCoMo's sessions (760 questions) at recall@3
 * .51; the first piece alone, which is all that the library looks at, .36; 16 pieces .50.
 */
const MAX_PIECES = 8;

/** Embeds texts into one array, text by text; gives way after each piece, a few milliseconds of work. */
export type EmbedTexts = (texts: readonly string[]) => Generator<void, Float32Array<ArrayBuffer>>;

/** Loads the model; about 100 ms. */
export function createEmbedTexts(): EmbedTexts {
  const { weights, vocabulary } = openModelFiles();
  const tokenize = createTokenizer(vocabulary);
  const model = createModel(weights);

  return function* embedTexts(texts) {
    const vectors = new Float32Array(texts.length * DIMENSION);
    for (const [index, text] of texts.entries()) {
      const tokens = tokenize(text).slice(0, MAX_PIECES * MAX_TOKENS);
      const vector = vectors.subarray(index * DIMENSION, (index + 1) * DIMENSION);
      for (let start = 0; start === 0 || start < tokens.length; start += MAX_TOKENS) {
        const piece = tokens.slice(start, start + MAX_TOKENS);
        const weight = Math.max(piece.length, 1);
        model(piece).forEach((value, i) => {
          vector[i]! += value * weight;
        });
        yield;
      }
      const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
      vector.forEach((value, i) => {
        vector[i] = value / length;
      });
    }
    return vectors;
  };
}
