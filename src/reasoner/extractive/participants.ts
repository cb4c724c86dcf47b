import type { Utterance } from '../reasoner.ts';
import { isEnglish, plainText } from './clean-text.ts';
import type { Sentence } from './sentences.ts';
import type { Talkers } from './third-person.ts';

/** Who takes part in a talk. */
export type Participants = {
  /** Names as they were given, for finding calls such as "Hey Mel!". */
  names: string[];
  /** Rules about English may be used. */
  english: boolean;
  /** A user and an assistant talk, rather than people among themselves. */
  assisted: boolean;
  /** The text is told in the third person already. */
  told: boolean;
  of: (turn: Pick<Utterance, 'role' | 'speaker'>) => Talkers;
};

const NO_NAME =
  /^(?:user|human|me|you|client|customer|assistant|ai|bot|chatbot|agent|system|model|gpt|chatgpt|claude)$/i;
/** They are looked for in every sentence. */
const MOST_NAMES = 40;
const ROLE_NAMES = {
  USER: 'the user',
  ASSISTANT: 'the assistant',
  TOOL: 'a tool',
  SYSTEM: 'the system',
  OTHER: 'the other person',
} as const;

/** How a speaker is called in a sentence: by name, else by role. */
function labelOf({ role, speaker }: Pick<Utterance, 'role' | 'speaker'>): string {
  return speaker === null || NO_NAME.test(speaker.trim()) ? ROLE_NAMES[role] : speaker.trim();
}

export function participantsOf(turns: readonly Utterance[]): Participants {
  const spoken = turns.filter(({ role }) => role !== 'TOOL' && role !== 'SYSTEM');
  const labels = [...new Set(spoken.map(labelOf))];
  const assistant = spoken.find(({ role }) => role === 'ASSISTANT');
  if (labels.length === 1 && assistant === undefined && spoken[0]?.role === 'USER') {
    labels.push(ROLE_NAMES.ASSISTANT);
  }
  const assisted = spoken.every(({ role }) => role !== 'OTHER');
  return {
    names: [
      ...new Set(spoken.flatMap(({ speaker }) => (speaker === null ? [] : [speaker.trim()]))),
    ].slice(0, MOST_NAMES),
    english: isEnglish(spoken.map(({ text }) => plainText(text)).join(' ')),
    assisted,
    told: false,
    of: (turn) => {
      const speaker = labelOf(turn);
      const others = labels.filter((label) => label !== speaker);
      const other = others.length === 1 ? (others[0] ?? null) : null;
      return { speaker, other, asks: assisted && turn.role === 'USER' };
    },
  };
}

/** What a sentence is worth by its speaker's part in the talk, as a factor. */
export function partOf({ role, text }: Sentence, { assisted }: Participants): number {
  const asks = /\?\s*["')]?$/.test(text);
  if (!assisted) return asks ? 0.45 : 1;
  if (role === 'USER') return 1;
  return asks ? 0.3 : 0.75;
}
