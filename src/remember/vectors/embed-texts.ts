import { randomInt } from 'node:crypto';
import type { Context } from '../../context.ts';
import { ModelFailed } from '../../domain/core/errors.ts';

type Embedder = NonNullable<Context['embedder']>;

/** A text's vector, or why it has none and will not get one. */
export type Embedded = { vector: Float32Array } | { refusal: string };

/** Null for a text that the model refuses. */
export const vectorOf = (embedded: Embedded): Float32Array | null =>
  'vector' in embedded ? embedded.vector : null;

/**
 * A vector for each text that the model takes. When it refuses a batch, halves are tried, down to
 * the one text that it does not take: that one stays without, the others are not held up by it.
 * @throws what the embedder throws, when not single texts are to blame
 */
export async function embedTexts(
  embedder: Embedder,
  userId: string,
  texts: readonly string[],
): Promise<Embedded[]> {
  const options = { priority: 'batch', userId } as const;
  let controlled: Promise<unknown> | null = null;

  const embed = async (part: readonly string[]): Promise<Embedded[]> => {
    try {
      return (await embedder.embed(part, options)).map((vector) => ({ vector }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (part.length > 1) {
        const half = part.length >> 1;
        return [...(await embed(part.slice(0, half))), ...(await embed(part.slice(half)))];
      }
      // If it refuses what no model can mind, it is not the text's fault. New each time, for the cache.
      controlled ??= embedder.embed([`The number is ${randomInt(1e9)}.`], options);
      await controlled;
      return isForGood(error) ? [{ refusal: error.message }] : embedAgain(part);
    }
  };

  /** A failure of the server may have been bad luck; twice in a row, among others that succeed, it is the text. */
  const embedAgain = async (part: readonly string[]): Promise<Embedded[]> => {
    try {
      return (await embedder.embed(part, options)).map((vector) => ({ vector }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return [{ refusal: error.message }];
    }
  };
  return embed(texts);
}

/** Neither broken (5xx) nor silent (408). */
const isForGood = ({ status }: ModelFailed): boolean => status !== 408 && (status ?? 0) < 500;

/** The server was there, and answered that it will not or cannot. */
const isRefusal = (error: unknown): error is ModelFailed =>
  error instanceof ModelFailed && error.status !== null;
