import { bareWords } from '../../../language/text/bare-words.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import { capitalised } from '../text/clean-text.ts';
import { clip } from '../text/clip.ts';
import { detailsOf } from '../text/details.ts';
import type { RankedSentence } from '../text/rank-sentences.ts';
import type { Sentence } from '../text/sentences.ts';
import { shorten } from '../text/shorten.ts';
import { stripSpeech } from '../text/strip.ts';
import type { Participants } from './participants.ts';

/** How much is quoted at most. */
export type Limits = { characters: number; sentences: number };

/** As a sentence is written: its first letter up, a full stop set. One word stays as it is. */
export function asSentence(text: string): string {
  const trimmed = trimEndOf(text, /[\s,;:–—-]/).trim();
  if (!/\s/.test(trimmed)) return trimmed;
  return withStop(capitalised(trimmed));
}

/** With a full stop, unless it ends like a sentence: what comes after it does not run on from it. */
export const withStop = (text: string): string =>
  /[.!?…。！？]["')]?$/.test(text) ? text : `${text}.`;

/** What somebody said, without "Well," and whom they call. */
export function spokenWords(
  { text }: Pick<Sentence, 'text'>,
  { english, names }: Participants,
): string {
  const bare = english ? stripSpeech(text, names) : text;
  return asSentence(bare === '' ? text : bare);
}

type Quote = { place: number; speaker: string; text: string };

/**
 * As many of the sentences, in their order, as the limits let in, word for word, put back in the order in which they were
 * said, each speaker named where they begin: "User: The lease ends in May. Assistant: Give notice by the end of January."
 * A sentence that is too long is cut at the end of a clause, and ends in "…".
 *
 * @returns where not one can be cut so, the beginning of the first; null where there is none
 */
export function quotesOf(
  ranked: readonly RankedSentence[],
  people: Participants,
  limits: Limits,
): string | null {
  const taken: Quote[] = [];
  let left = limits.characters;
  for (const sentence of ranked) {
    if (taken.length === limits.sentences) break;
    const speaker = people.of(sentence);
    const said = spokenWords(sentence, people);
    const text = shorten(said, left - speaker.length, detailsOf(said));
    if (text === null || taken.some((other) => repeats(other.text, text))) continue;
    taken.push({ place: sentence.place, speaker, text });
    left -= text.length + speaker.length + 3;
  }
  const [first] = ranked;
  if (first === undefined) return null;
  if (taken.length === 0) return clip(spokenWords(first, people), limits.characters);
  return spoken(taken.sort((a, b) => a.place - b.place));
}

function spoken(quotes: readonly Quote[]): string {
  return quotes
    .map(({ speaker, text }, at) =>
      speaker === '' || speaker === quotes[at - 1]?.speaker ? text : `${speaker}: ${text}`,
    )
    .join(' ');
}

/** One says what the other says. */
export function repeats(a: string, b: string): boolean {
  const [left, right] = [bareWords(a), bareWords(b)];
  return left.includes(right) || right.includes(left);
}
