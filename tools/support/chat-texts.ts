import { openModelFiles } from '../../src/embedder/built-in/use-weights.ts';
import { STOPWORDS } from '../../src/language/en/words/english.ts';
import { pickOne, seededRandom } from './random.ts';

/** A generator of a conversation. The same seed gives the same conversation. */
export type ChatTexts = {
  /** Returns the next message. */
  turn(): string;
  /** Returns a question about one of the messages so far. */
  question(): string;
};

const TURNS_A_SESSION = 20;
const TOPIC_WORDS = 20;
const FUNCTION_WORDS = [...STOPWORDS];
/** How steeply common words outnumber rare ones, fitted to the figures at `createChatTexts`. */
const COMMON = 1.6;
const TOPICAL = 1;

/**
 * Creates messages as long and as varied as those of LoCoMo (26 words, 12 keyword terms, some 650 terms after 200 messages
 * and 1,300 after 680, the most frequent term in every fifth). They consist of English words by frequency, from the built-in
 * embedder's vocabulary, with topics that change every 20 messages. They make no sense, so they are fit to measure speed and
 * size, never quality.
 */
export function createChatTexts(seed: number): ChatTexts {
  const random = seededRandom(seed);
  const common = weighted(random, COMMON);
  const topical = weighted(random, TOPICAL);
  const said: string[][] = [];
  let topic: string[] = [];
  return {
    turn() {
      if (said.length % TURNS_A_SESSION === 0) topic = Array.from({ length: TOPIC_WORDS }, topical);
      const length = 3 + Math.floor(random() * 22);
      const contentWords = Array.from({ length }, () =>
        random() < 0.35 ? pickOne(random, topic) : common(),
      );
      said.push(contentWords);
      return sentence(contentWords.flatMap((word) => [pickOne(random, FUNCTION_WORDS), word]));
    },
    question() {
      const about = pickOne(random, said);
      const words = Array.from({ length: 3 }, () => pickOne(random, about));
      return `When did we talk about the ${words[0]} and ${words[1]} with ${words[2]}?`;
    },
  };
}

function sentence(words: readonly string[]): string {
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Content words with their log-probabilities. */
let vocabulary: (readonly [word: string, score: number])[] | undefined;

function weighted(random: () => number, steepness: number): () => string {
  vocabulary ??= openModelFiles()
    .vocabulary.filter(([piece]) => /^\u2581[a-z]{3,}$/.test(piece))
    .map(([piece, score]) => [piece.slice(1), score] as const)
    .filter(([word]) => !STOPWORDS.has(word));
  let sum = 0;
  const sums = vocabulary.map(([word, score]) => {
    sum += Math.exp(score * steepness);
    return [word, sum] as const;
  });
  return () => {
    const target = random() * sum;
    let low = 0;
    for (let high = sums.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if ((sums[middle]?.[1] ?? sum) < target) low = middle + 1;
      else high = middle;
    }
    return sums[low]?.[0] ?? '';
  };
}
