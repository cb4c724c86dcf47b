import { createModel, DIMENSION, MAX_TOKENS } from './use-model.ts';
import { createTokenizer } from './use-tokenizer.ts';
import { openModelFiles } from './use-weights.ts';

/**
 * A long text is embedded in at most this many pieces of `MAX_TOKENS`; the rest is left out. 1,024 tokens, about 4,400
 * characters of English, take a tenth of a second. On LoCoMo (760 questions) the mean of the pieces, weighted by length,
 * finds the session with recall@3 .51; the first piece alone, which is all that the library reads, .36; 16 pieces .50.
 */
const MAX_PIECES = 8;

/** How many tokens go through the model at once, about 10 ms of work. A longer piece goes alone. */
const AT_ONCE = 64;

/** Embeds texts into one array of concatenated vectors. Yields every few milliseconds, so that others can run. */
export type EmbedTexts = (texts: readonly string[]) => Generator<void, Float32Array<ArrayBuffer>>;

/** A piece of a text; `at`: the index of the text's vector in the array. */
type Piece = { tokens: readonly number[]; at: number };

/** Loads the model; about 100 ms. */
export function createEmbedTexts(): EmbedTexts {
  const { weights, vocabulary } = openModelFiles();
  const tokenize = createTokenizer(vocabulary);
  const model = createModel(weights);

  function* piecesOf(texts: readonly string[]): Generator<Piece> {
    for (const [index, text] of texts.entries()) {
      const tokens = tokenize(text).slice(0, MAX_PIECES * MAX_TOKENS);
      for (let start = 0; start === 0 || start < tokens.length; start += MAX_TOKENS) {
        yield { tokens: tokens.slice(start, start + MAX_TOKENS), at: index * DIMENSION };
      }
    }
  }

  /** Groups the pieces, in order, into batches that go through the model at once. */
  function* batchesOf(texts: readonly string[]): Generator<Piece[]> {
    let batch: Piece[] = [];
    let size = 0;
    for (const piece of piecesOf(texts)) {
      const pieceSize = Math.max(piece.tokens.length, 1);
      if (batch.length > 0 && size + pieceSize > AT_ONCE) {
        yield batch;
        [batch, size] = [[], 0];
      }
      batch.push(piece);
      size += pieceSize;
    }
    if (batch.length > 0) yield batch;
  }

  return function* embedTexts(texts) {
    const vectors = new Float32Array(texts.length * DIMENSION);
    for (const batch of batchesOf(texts)) {
      const made = model(batch.map(({ tokens }) => tokens));
      for (const [place, { tokens, at }] of batch.entries()) {
        const weight = Math.max(tokens.length, 1);
        made[place]!.forEach((value, i) => {
          vectors[at + i]! += value * weight;
        });
      }
      yield;
    }
    for (let at = 0; at < vectors.length; at += DIMENSION) {
      const vector = vectors.subarray(at, at + DIMENSION);
      const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
      vector.forEach((value, i) => {
        vector[i] = value / length;
      });
    }
    return vectors;
  };
}
