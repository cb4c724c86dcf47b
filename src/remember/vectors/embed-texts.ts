import { randomInt } from 'node:crypto';
import type { EmbeddingContext } from '../../context.ts';
import { ModelFailed } from '../../domain/core/errors.ts';

/** A text's vector, or why it has none and will not get one. */
export type EmbeddedText = { vector: Float32Array } | { refusal: string };

const REFUSED_BEFORE: EmbeddedText = { refusal: 'The model has refused it before.' };

/** Null for a text that the model refuses. */
export const vectorOf = (embedded: EmbeddedText): Float32Array | null =>
  'vector' in embedded ? embedded.vector : null;

/** A text to embed; a turn whose vector is stored already is not embedded again. */
type Text = string | { id: number; text: string };

/**
 * Returns a vector for each text that the model takes. When it refuses a batch, halves are tried, down to the one text that
 * it does not take: that one stays without, the others are not held up by it. Turns that it refused before are not looked for
 * again.
 * @throws what the embedder throws, when not single texts are to blame
 */
export async function embedTexts(
  ctx: EmbeddingContext,
  userId: string,
  texts: readonly Text[],
): Promise<EmbeddedText[]> {
  const { embedder } = ctx;
  const ask = (part: readonly Text[]): Promise<Float32Array[]> =>
    embedder.embed(
      part.map((text) => (typeof text === 'string' ? text : text.text)),
      { priority: 'batch', userId, stored: storedOf(ctx, userId, part) },
    );
  let controlled: Promise<unknown> | null = null;
  let refusedBefore: Promise<ReadonlySet<Text>> | null = null;

  const embed = async (part: readonly Text[]): Promise<EmbeddedText[]> => {
    try {
      return (await ask(part)).map((vector) => ({ vector }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusedBefore ??= refusedAmong(ctx, userId, texts);
      const refused = await refusedBefore;
      const others = part.filter((text) => !refused.has(text));
      if (others.length > 0 && others.length < part.length) return embedOthers(part, others);
      if (part.length > 1) {
        const half = part.length >> 1;
        return [...(await embed(part.slice(0, half))), ...(await embed(part.slice(half)))];
      }
      // If it refuses what no model can mind, it is not the text's fault. New each time, for the cache.
      controlled ??= ask([`The number is ${randomInt(1e9)}.`]);
      await controlled;
      return isForGood(error) ? [{ refusal: error.message }] : embedAgain(part);
    }
  };

  const embedOthers = async (part: readonly Text[], others: readonly Text[]) => {
    const embedded = await embed(others);
    const results = new Map(others.map((text, place) => [text, embedded[place]]));
    return part.map((text) => results.get(text) ?? REFUSED_BEFORE);
  };

  /** A failure of the server may have been bad luck; twice in a row, among others that succeed, it is the text. */
  const embedAgain = async (part: readonly Text[]): Promise<EmbeddedText[]> => {
    try {
      return (await ask(part)).map((vector) => ({ vector }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return [{ refusal: error.message }];
    }
  };
  return embed(texts);
}

/** Those of the texts that are turns without a vector, although the embedder has come to them. */
async function refusedAmong(
  ctx: EmbeddingContext,
  userId: string,
  texts: readonly Text[],
): Promise<ReadonlySet<Text>> {
  const turns = texts.flatMap((text) => (typeof text === 'object' ? [text] : []));
  if (turns.length === 0) return new Set();
  const { name } = await ctx.embedder.identify();
  const ids = turns.map(({ id }) => id);
  const refused = await ctx.memory(userId).read((memory) => memory.turnVectors.refused(name, ids));
  return new Set(turns.filter(({ id }) => refused.has(id)));
}

/** Finds the stored vectors of the turns among some texts. */
const storedOf =
  (ctx: EmbeddingContext, userId: string, texts: readonly Text[]) =>
  async (places: readonly number[]) => {
    const ids = places.map((place) => {
      const text = texts[place];
      return typeof text === 'object' ? text.id : null;
    });
    if (ids.every((id) => id === null)) return [];
    const { name } = await ctx.embedder.identify();
    return ctx.memory(userId).read((memory) => memory.turnVectors.stored(name, ids));
  };

/** Neither broken (5xx) nor silent (408). */
const isForGood = ({ status }: ModelFailed): boolean => status !== 408 && (status ?? 0) < 500;

/** The server was there, and answered that it will not or cannot. */
const isRefusal = (error: unknown): error is ModelFailed =>
  error instanceof ModelFailed && error.status !== null;
