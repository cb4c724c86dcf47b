import { showProgress } from '../../../src/cli/support/progress.ts';
import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import { STOPWORDS } from '../../../src/language/en/words/english.ts';
import type { MeasuredTalk } from '../calibration.ts';
import type { Talk } from './read-talks.ts';

/** How many turns are restated. */
const RESTATED = 500;
/** The fewest words of a turn that is restated. */
const LONG_ENOUGH = 8;

/** Embeds all utterances of the conversations. */
export async function embedTalks(
  embedder: Embedder,
  talks: readonly Talk[],
): Promise<MeasuredTalk[]> {
  using embedded = showProgress('conversations embedded', talks.length);
  const measured: MeasuredTalk[] = [];
  for (const { utterances, boundaries } of talks) {
    const vectors = await embedder.embed(utterances, { priority: 'batch' });
    measured.push({ vectors, boundaries });
    embedded.add(1);
  }
  return measured;
}

/** Returns pairs of vectors: of evenly chosen turns, and of the same turns without their function words. */
export async function embedRestated(
  embedder: Embedder,
  talks: readonly Talk[],
): Promise<[Float32Array, Float32Array][]> {
  const long = talks
    .flatMap(({ utterances }) => utterances)
    .filter((text) => text.split(/\s+/).length >= LONG_ENOUGH);
  const step = Math.max(1, long.length / RESTATED);
  const count = Math.min(RESTATED, long.length);
  const texts = Array.from({ length: count }, (_, index) => long[Math.floor(index * step)] ?? '');
  const options = { priority: 'batch' } as const;
  const turns = await embedder.embed(texts, options);
  const again = await embedder.embed(texts.map(withoutFunctionWords), options);
  return turns.map((vector, index) => [vector, again[index] as Float32Array]);
}

const withoutFunctionWords = (text: string): string =>
  text
    .split(/\s+/)
    .filter((word) => !STOPWORDS.has(word.toLowerCase()))
    .join(' ');
