import { isEnglish } from '../../../language/en/is-english.ts';
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

/** A factor for the score of a sentence, by the role of its speaker and by what it states. */
export function sentenceWorth({ role, text, turn }: Sentence, { assisted }: Participants): number {
  const asks = /\?\s*["')]?$/.test(text);
  if (!assisted) return asks ? 0.45 : 1;
  if (role !== 'USER') return asks ? 0.3 : 0.6;
  // The user's first words name the topic.
  const opens = turn === 0 ? 1.25 : 1;
  const weight = outcomeIn(text) !== null ? 1.4 : LASTING.test(text) ? 1.2 : 1;
  return opens * weight;
}
