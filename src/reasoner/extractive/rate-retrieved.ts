import type { MemoryRating } from '../../domain/episodes/forgetting.ts';
import { termWeight } from '../../language/en/term-weight.ts';
import { distinctTerms, termsOf } from '../../language/text/terms.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';
import { detailsOf } from './text/details.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';
import { sentencesOf } from './text/sentences.ts';

/** The minimum usefulness, 0-1, for each rating; below them it is AGAIN. Chosen by examples, not fitted. */
const FROM: readonly (readonly [MemoryRating, number])[] = [
  ['EASY', 0.62],
  ['GOOD', 0.4],
  ['HARD', 0.22],
];
/** Cosines below `least` count as 0 and above `most` as 1: unrelated sentences of a talk reach 0.35. */
const COSINE = { least: 0.35, most: 0.8 } as const;
/** Added if a memory comes up in more than one turn. */
const RETURNS = 0.18;
const MOST_SENTENCES = 40;

/**
 * Rates how useful each recalled memory was in the turns that followed: by the share of its words that came up (names,
 * numbers and dates count double), by the semantic similarity of the nearest sentence, and by whether more than one turn
 * used it. Without vectors by words alone.
 */
export async function rateRetrieved(
  { memories, turns }: StepArguments<'rate-retrieved'>,
  similarity: SemanticSimilarity | null,
): Promise<StepOutput<'rate-retrieved'>> {
  const sentences = sentencesOf(turns).slice(0, MOST_SENTENCES);
  // The names of the speakers come up in any talk.
  const talkers = distinctTerms(turns.map(({ speaker }) => speaker ?? ''));
  const texts = [...memories, ...sentences].map(({ text }) => text);
  const vectors = await similarity?.vectorsOf(texts);
  const ratings = memories.map(({ text }, place): MemoryRating => {
    const near = (index: number): number | null => {
      const [own, other] = [vectors?.[place], vectors?.[memories.length + index]];
      return similarity && own && other ? nearness(similarity.likeness(own, other)) : null;
    };
    const uses = sentences.map((sentence, index) => ({
      turn: sentence.turn,
      use: useOf(overlap(text, sentence.text, talkers), near(index)),
    }));
    const whole = overlap(text, sentences.map((sentence) => sentence.text).join(' '), talkers);
    const returns = new Set(uses.filter(({ use }) => use >= 0.3).map(({ turn }) => turn)).size > 1;
    const best = Math.max(0.9 * whole, ...uses.map(({ use }) => use)) + (returns ? RETURNS : 0);
    return FROM.find(([, least]) => best >= least)?.[0] ?? 'AGAIN';
  });
  return { ratings };
}

const useOf = (words: number, near: number | null): number =>
  near === null ? words : Math.max(0.55 * words + 0.45 * near, 0.85 * words);

const nearness = (cosine: number): number =>
  Math.min(1, Math.max(0, (cosine - COSINE.least) / (COSINE.most - COSINE.least)));

/** The share of a memory's words that a text contains, weighted by how much they say. Names, numbers and dates count double. */
function overlap(memory: string, text: string, talkers: ReadonlySet<string>): number {
  const terms = termsOf(text);
  const special = distinctTerms(detailsOf(`so ${memory}`));
  let all = 0;
  let shared = 0;
  for (const term of termsOf(memory).keys()) {
    if (talkers.has(term)) continue;
    const weight = termWeight(term) * (special.has(term) ? 2 : 1);
    all += weight;
    if (terms.has(term)) shared += weight;
  }
  // Of a long memory only a part needs to come up.
  return all === 0 ? 0 : Math.min(1, shared / Math.min(all, 8));
}
