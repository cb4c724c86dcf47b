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
  /** The name of a turn's speaker in a summary, else the role. */
  of: (turn: Pick<Utterance, 'role' | 'speaker'>) => string;
};

const NO_NAME =
  /^(?:user|human|me|you|client|customer|assistant|ai|bot|chatbot|agent|system|model|gpt|chatgpt|claude)$/i;
/** Takes the place of the name of a speaker without one in a summary. */
export const ROLE_NAMES = {
  USER: 'User',
  ASSISTANT: 'Assistant',
  TOOL: 'Tool',
  SYSTEM: 'System',
  OTHER: 'Other',
} as const;

function labelOf({ role, speaker }: Pick<Utterance, 'role' | 'speaker'>): string {
  return speaker === null || NO_NAME.test(speaker.trim()) ? ROLE_NAMES[role] : speaker.trim();
}

export function participantsOf(turns: readonly Utterance[]): Participants {
  const spoken = turns.filter(isSpoken);
  return {
    names: speakersOf(spoken),
    english: isEnglish(spoken.map(({ text }) => plainText(text)).join(' ')),
    assisted: spoken.every(({ role }) => role !== 'OTHER'),
    of: labelOf,
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
