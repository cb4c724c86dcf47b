import { tokensOf } from '../../../src/language/text/tokens.ts';

const K1 = 1.2;
const B = 0.75;
const WORD = /[\p{L}\p{N}]+/gu;

/** Counts how often each word occurs, regardless of case. */
function wordsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(WORD))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const lengthOf = (words: ReadonlyMap<string, number>): number =>
  [...words.values()].reduce((sum, count) => sum + count, 0);

/** A keyword search over single turns: the baseline for a memory. */
export type PlainSearch = {
  /** Returns the texts that contain a word of the query, best first. */
  find(query: string): string[];
};

/** Creates a textbook BM25 search over single texts, without stemming or stop words. */
export function createPlainSearch(texts: readonly string[]): PlainSearch {
  const documents = texts.map((text) => {
    const words = wordsOf(text);
    return { text, words, length: lengthOf(words) };
  });
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const idf = (word: string) => {
    const withWord = documents.filter(({ words }) => words.has(word)).length;
    return Math.log(1 + (documents.length - withWord + 0.5) / (withWord + 0.5));
  };
  return {
    find(query) {
      const weights = [...wordsOf(query).keys()].map((word) => [word, idf(word)] as const);
      return documents
        .map(({ text, words, length }) => ({
          text,
          score: weights.reduce((sum, [word, weight]) => {
            const count = words.get(word) ?? 0;
            const norm = count + K1 * (1 - B + (B * length) / mean);
            return sum + (weight * count * (K1 + 1)) / norm;
          }, 0),
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .map(({ text }) => text);
    },
  };
}

/** Joins as many of the first texts as fit into a token budget. */
export function packTexts(texts: readonly string[], budget: number): string {
  let left = budget;
  const end = texts.findIndex((text) => {
    left -= tokensOf(text) + 1;
    return left < 0;
  });
  return texts.slice(0, end < 0 ? undefined : end).join('\n');
}
