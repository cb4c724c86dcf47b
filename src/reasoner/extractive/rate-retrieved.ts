import type { z } from 'zod';
import type { MemoryRating } from '../../domain/episodes/forgetting.ts';
import { termWeight } from '../../language/en/term-weight.ts';
import { termsOf } from '../../language/text/terms.ts';
import type { StepOutput, rateRetrieved as shapes } from '../reasoner.ts';
import { detailsOf } from './text/details.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';
import { sentencesOf } from './text/sentences.ts';

/** At least so much use, 0-1, for each rating; less is AGAIN. Set by examples, not fitted. */
const FROM: readonly (readonly [MemoryRating, number])[] = [
  ['EASY', 0.62],
  ['GOOD', 0.4],
  ['HARD', 0.22],
];
/** Cosines under the first count nothing, over the second all: unrelated sentences of a talk reach 0.35. */
const COSINE = { least: 0.35, most: 0.8 } as const;
/** A memory that comes up in a second turn is being built upon. */
const RETURNS = 0.18;
const MOST_SENTENCES = 40;

/**
 * How useful each memory was in the talk that followed: the share of its telling words that came
 * up, its names, numbers and dates among them, how near a sentence came to its meaning, and whether
 * more than one turn did. Without vectors the words alone decide.
 */
export async function rateRetrieved(
  { memories, turns }: z.output<(typeof shapes)['input']>,
  similarity: SemanticSimilarity | null,
): Promise<StepOutput<'rate-retrieved'>> {
  const said = sentencesOf(turns).slice(0, MOST_SENTENCES);
  // Who talks comes up in any talk.
  const talkers = new Set(turns.flatMap(({ speaker }) => [...termsOf(speaker ?? '').keys()]));
  const vectors =
    similarity === null
      ? null
      : await similarity.vectorsOf([...memories, ...said].map(({ text }) => text));
  const ratings = memories.map(({ text }, place): MemoryRating => {
    const own = vectors?.[place];
    const uses = said.map((sentence, index) => {
      const other = vectors?.[memories.length + index];
      const near =
        similarity !== null && own !== undefined && other !== undefined
          ? nearness(similarity.likeness(own, other))
          : null;
      return { turn: sentence.turn, use: useOf(overlap(text, sentence.text, talkers), near) };
    });
    const everything = said.map((sentence) => sentence.text).join(' ');
    const whole = overlap(text, everything, talkers);
    return ratingOf(
      Math.max(useOf(whole, null) * 0.9, ...uses.map(({ use }) => use)) + bonus(uses),
    );
  });
  return { ratings };
}

const ratingOf = (use: number): MemoryRating =>
  FROM.find(([, least]) => use >= least)?.[0] ?? 'AGAIN';

function bonus(uses: readonly { turn: number; use: number }[]): number {
  const turns = new Set(uses.filter(({ use }) => use >= 0.3).map(({ turn }) => turn));
  return turns.size > 1 ? RETURNS : 0;
}

function useOf(words: number, near: number | null): number {
  if (near === null) return words;
  return Math.max(0.55 * words + 0.45 * near, 0.85 * words);
}

const nearness = (cosine: number): number =>
  Math.min(1, Math.max(0, (cosine - COSINE.least) / (COSINE.most - COSINE.least)));

/** The share of the memory's words, by how much they tell, that the text has; names count double. */
function overlap(memory: string, text: string, talkers: ReadonlySet<string>): number {
  const heard = termsOf(text);
  const special = new Set(
    detailsOf(`so ${memory}`).flatMap((detail) => [...termsOf(detail).keys()]),
  );
  let all = 0;
  let shared = 0;
  for (const term of termsOf(memory).keys()) {
    if (talkers.has(term)) continue;
    const weight = termWeight(term) * (special.has(term) ? 2 : 1);
    all += weight;
    if (heard.has(term)) shared += weight;
  }
  // A long memory is used by the part that matters.
  return all === 0 ? 0 : Math.min(1, shared / Math.min(all, 8));
}
