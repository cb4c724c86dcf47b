import { isEnglish } from '../../../language/en/is-english.ts';
import { isLifeNews } from '../../../language/en/shattering-news.ts';
import { isSpoken } from '../../../shared/role.ts';
import type { Utterance } from '../../reasoner.ts';
import { plainText } from '../text/clean-text.ts';
import { type Sentence, speakersOf } from '../text/sentences.ts';
import { outcomeIn } from './outcomes.ts';

export type Participants = {
  /** Names as given, to find addresses such as "Hey Mel!". */
  names: string[];
  /** Whether the talk is in English, so that rules about English apply. */
  english: boolean;
  /** Whether an assistant takes part, rather than only people. */
  assisted: boolean;
};

export function participantsOf(turns: readonly Utterance[]): Participants {
  const spoken = turns.filter(isSpoken);
  return {
    names: speakersOf(spoken),
    english: isEnglish(spoken.map(({ text }) => plainText(text)).join(' ')),
    assisted: spoken.every(({ role }) => role !== 'OTHER'),
  };
}

const LASTING =
  /\b(?:lesson|rule|from now on|always|never again|deadline|due|diagnos\w+|signed|notice|offer|price|costs?|budget)\b/i;

/** News that change a life count more than what follows from them. */
const NEWS = 1.6;

/** A factor for the score of a sentence, by the role of its speaker and by what it states. */
export function sentenceWorth({ role, text, turn }: Sentence, { assisted }: Participants): number {
  const asks = /\?\s*["')]?$/.test(text);
  const isNews = isLifeNews(text);
  if (!assisted) return asks ? 0.45 : isNews ? NEWS : 1;
  if (role !== 'USER') return asks ? 0.3 : 0.6;
  // The user's first words name the topic.
  return (turn === 0 ? 1.25 : 1) * (isNews ? NEWS : weightOf(text));
}

const weightOf = (text: string): number =>
  outcomeIn(text) !== null ? 1.4 : LASTING.test(text) ? 1.2 : 1;
