import { SPEAKER } from '../../../domain/turns/restated.ts';
import { bareWords } from '../../../language/text/bare-words.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import { capitalised, withStop } from '../text/clean-text.ts';
import { clip } from '../text/clip.ts';
import { detailsOf } from '../text/details.ts';
import type { RankedSentence } from '../text/rank-sentences.ts';
import { type Sentence, splitSentences } from '../text/sentences.ts';
import { shorten } from '../text/shorten.ts';
import { stripSpeech } from '../text/strip.ts';
import type { Participants } from './participants.ts';

/** Writes a text as a sentence: with a capital at the beginning and a full stop. A single word stays as it is. */
export function asSentence(text: string): string {
  const trimmed = trimEndOf(text, /[\s,;:–—-]/).trim();
  if (!/\s/.test(trimmed)) return trimmed;
  return withStop(capitalised(trimmed));
}

/** The words of a sentence without openers such as "Well," and without addresses such as "Mel". */
export function spokenWords({ text }: Sentence, { english, names }: Participants): string {
  const bare = english ? stripSpeech(text, names) : text;
  return asSentence(bare === '' ? text : bare);
}

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

/** The name of a sentence's speaker in a summary, else the role. */
export const speakerOf = ({ role, speaker }: Pick<Sentence, 'role' | 'speaker'>): string =>
  speaker === null || NO_NAME.test(speaker.trim()) ? ROLE_NAMES[role] : speaker.trim();

type Quote = { place: number; speaker: string; text: string };

/**
 * Quotes the best sentences that fit into the limits, word for word, in the order in which they were said. Each speaker is
 * named at the beginning: "User: The lease ends in May. Assistant: Give notice by the end of January." A sentence that is too
 * long is cut at the end of a clause and ends with "…"; if that is impossible, the best one is cut at a word, and others are left
 * out.
 *
 * @param ranked the best first
 * @returns the quotes; null without sentences
 */
export function quotesOf(
  ranked: readonly RankedSentence[],
  people: Participants,
  limits: { characters: number; sentences: number },
): string | null {
  const taken: Quote[] = [];
  let left = limits.characters;
  for (const [rank, sentence] of ranked.entries()) {
    if (taken.length === limits.sentences) break;
    const speaker = speakerOf(sentence);
    const spoken = spokenWords(sentence, people);
    const whole = shorten(spoken, left - speaker.length, detailsOf(spoken));
    // What says most is cut anywhere rather than left out.
    const text = rank === 0 ? (whole ?? clip(spoken, limits.characters / 2)) : whole;
    if (text === null || taken.some((other) => repeats(other.text, text))) continue;
    taken.push({ place: sentence.place, speaker, text });
    left -= text.length + speaker.length + 3;
  }
  return taken.length === 0 ? null : spoken(taken.sort((a, b) => a.place - b.place));
}

function spoken(quotes: readonly Quote[]): string {
  return quotes
    .map(({ speaker, text }, at) => {
      const quote = at < quotes.length - 1 ? withStop(text) : text;
      return speaker === '' || speaker === quotes[at - 1]?.speaker ? quote : `${speaker}: ${quote}`;
    })
    .join(' ');
}

/** Whether one of two texts contains the words of the other. */
export function repeats(a: string, b: string): boolean {
  const [left, right] = [bareWords(a), bareWords(b)];
  return left.includes(right) || right.includes(left);
}

/** A quoted sentence of a summary and its speaker, the one named last before it. */
export type QuotedSentence = { text: string; speaker: string | null };

/** Splits a summary such as "User: The lease ends in May. Assistant: Give notice by January." into its sentences without the names. */
export function quotedSentences(summary: string): QuotedSentence[] {
  let speaker: string | null = null;
  return splitSentences(summary).map((sentence) => {
    const [lead = '', name = null] = SPEAKER.exec(sentence) ?? [];
    speaker = name ?? speaker;
    return { text: sentence.slice(lead.length) || sentence, speaker };
  });
}
