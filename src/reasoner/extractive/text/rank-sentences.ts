import {
  centrality,
  diverse,
  rarities,
  similarities,
  termCosine,
} from '../../../domain/episodes/summary.ts';
import { isLifeNews } from '../../../language/en/shattering-news.ts';
import { termWeight } from '../../../language/en/term-weight.ts';
import { pattern } from '../../../language/text/pattern.ts';
import { termsOf } from '../../../language/text/terms.ts';
import { weightOf } from './boilerplate.ts';
import { detailsOf } from './details.ts';
import type { Sentence } from './sentences.ts';

export type RankedSentence = Sentence & {
  /** Its index among the sentences of the talk. */
  place: number;
  /** How well it represents the talk, 0-1. */
  score: number;
};

/** Whether a person says a sentence, rather than the assistant. */
export const isPerson = ({ role }: Sentence): boolean => role !== 'ASSISTANT';

/** The first turn with a sentence of a person; infinite if there is none. */
export const openingOf = (sentences: readonly Sentence[]): number =>
  Math.min(...sentences.filter(isPerson).map(({ turn }) => turn));

/** The turns in which each term occurs. */
export function turnsByTerm(sentences: readonly Sentence[]): Map<string, Set<number>> {
  const turns = new Map<string, Set<number>>();
  for (const { text, turn } of sentences)
    for (const term of termsOf(text).keys())
      turns.set(term, (turns.get(term) ?? new Set()).add(turn));
  return turns;
}

/** The maximum number of sentences to rank: each is compared with each. */
export const MOST_SENTENCES = { segment: 20, thread: 60 } as const;

const ANAPHORIC = pattern('i')`
  ^(?:(?:and|but|so|oh|well|yeah|yes|no)[,\s]+)*(?:it|that|this|these|those|they|he|she|them|there)\b(?! (?:is|are|was
  |were|'s) (?:an?|no|some|two|three|many|\d))
`;
const REACTION =
  /^(?:(?:and|but|so|oh|well|yeah|yes|no|wow|thanks)[,\s]+)*(?:you|your|glad|happy to|sounds|looks like)\b/i;

const FRAGMENT =
  /^(?:even though|because|which|especially|like|than|as well as|such as|cause)\b[^,]*$/i;
/** Points at a picture that is not in the text. */
const POINTING = pattern('i')`
  \b(?:look at|check (?:it|this|these|that) out|take a look|here(?:'s| is| are| you go)|this (?:pic|photo|picture|one)
  |these (?:pics|photos|pictures))\b
`;
const CHEERING = pattern('i')`
  ^(?:remember|cherish|enjoy|rock on|hold on|stay|keep)\b(?! (?:when|to)\b)|\b(?:believe in|keep (?:it up|going
  |pushing|up|shining|being|doing|supporting)|good luck|never give up|hang in|proud of|rooting for|glad (?:to hear
  |you)|shine|cheering|stay (?:strong|positive)|can't wait|hope (?:you|it|we)|let's keep)\b
`;

/** News that change a life are informative in a few words: "I'm pregnant!" */
const LEAST_OF_NEWS = 0.6;

/** How informative a sentence is by itself, 0-1. */
function informationOf(text: string): number {
  const weight = weightOf(text);
  const words = text.split(/\s+/).length;
  let worth = weight / (weight + 4) + 0.06 * Math.min(detailsOf(text).length, 4);
  if (ANAPHORIC.test(text)) worth *= 0.7;
  if (REACTION.test(text)) worth *= 0.6;
  if (CHEERING.test(text)) worth *= 0.5;
  if (words < 5) worth *= words < 4 ? 0.4 : 0.7;
  if (FRAGMENT.test(text)) worth *= 0.35;
  if (POINTING.test(text)) worth *= 0.6;
  if (words > 45) worth *= 0.75;
  return Math.min(isLifeNews(text) ? Math.max(worth, LEAST_OF_NEWS) : worth, 1);
}

/**
 * Ranks sentences for a summary: the best are informative, central to the talk, early, and different from better ones.
 * Near-duplicates are left out.
 *
 * @param worth a factor for each sentence, for instance by its speaker's role
 * @param most the maximum number of sentences to rank
 */
export function rankSentences(
  sentences: readonly Sentence[],
  { worth, most }: { worth: (sentence: Sentence) => number; most: number },
): RankedSentence[] {
  if (sentences.length === 0) return [];
  const weighed = sentences
    .map((sentence, place) => {
      const opening = place === 0 ? 1.25 : place < 0.25 * sentences.length ? 1.08 : 1;
      return {
        ...sentence,
        place,
        score: informationOf(sentence.text) * worth(sentence) * opening,
      };
    })
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, most);
  const table = similarityTable(weighed.map(({ text }) => text));
  const prior = weighed.map(({ score }) => score);
  const central = centrality(table, prior);
  const scores = prior.map((own, index) => 0.65 * own + 0.35 * (central[index] ?? 0));
  return diverse(scores, table).map((index) => ({
    ...(weighed[index] as RankedSentence),
    score: scores[index] ?? 0,
  }));
}

/** The similarity of each pair of texts, 0-1, by their words; a word counts more the fewer of the texts have it. */
export function similarityTable(texts: readonly string[]): number[][] {
  const bags = texts.map(termsOf);
  const rarity = rarities(bags);
  const weighted = bags.map(
    (bag) =>
      new Map(
        [...bag].map(([term, count]) => [term, count * termWeight(term) * (rarity.get(term) ?? 0)]),
      ),
  );
  return similarities(weighted, termCosine);
}
