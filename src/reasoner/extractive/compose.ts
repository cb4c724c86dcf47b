import { detailsOf, holds } from './details.ts';
import { fragment } from './fragment.ts';
import type { Participants } from './participants.ts';
import type { RankedSentence } from './rank-sentences.ts';
import { asSentence, retell } from './retell.ts';
import { shorten } from './shorten.ts';
import { stripSpeech } from './strip.ts';

/** How long a summary may be. */
export type Limits = { characters: number; words: number; sentences: number };

/** A third of the source, the most that a summary by these rules takes up. */
export const thirdOf = (texts: readonly string[]): number =>
  Math.floor(texts.reduce((sum, text) => sum + text.length, 0) / 3);

const wordsIn = (text: string) => text.split(/\s+/).length;

/** Told in the third person where the rules know the language, else as it was said. */
export function told(sentence: RankedSentence, people: Participants): string {
  if (!people.english || people.told) return asSentence(sentence.text);
  return retell(sentence.text, people.of(sentence), people.names);
}

/** What a summary must keep of a sentence: its names, numbers and dates, but not who is called. */
function detailsIn(sentence: RankedSentence, people: Participants): string[] {
  return detailsOf(stripSpeech(sentence.text, people.names));
}

/**
 * As many of the sentences, in their order, as the limits let in, put back in the order in which
 * they were said. A sentence that is too long is cut at clause borders if its names, numbers and
 * dates survive that, else left out. If not one fits, the fragment that tells most.
 */
export function compose(
  ranked: readonly RankedSentence[],
  people: Participants,
  limits: Limits,
): string {
  const taken: { place: number; text: string }[] = [];
  const left = { ...limits };
  for (const sentence of ranked) {
    if (left.sentences === 0 || left.characters < 12) break;
    const text = fitted(sentence, people, left);
    if (text === null || taken.some((other) => repeats(other.text, text))) continue;
    taken.push({ place: sentence.place, text });
    left.sentences -= 1;
    left.characters -= text.length + 1;
    left.words -= wordsIn(text);
  }
  if (taken.length === 0) {
    const said = ranked.map(({ text }) =>
      people.english ? stripSpeech(text, people.names) : text,
    );
    return fragment(said, limits.characters, people.english);
  }
  return taken
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join(' ');
}

function fitted(sentence: RankedSentence, people: Participants, left: Limits): string | null {
  const details = detailsIn(sentence, people);
  const full = told(sentence, people);
  if (!holds(full, details)) return null;
  const text = shorten(full, left.characters, details);
  if (text === null) return null;
  if (wordsIn(text) <= left.words) return text;
  const shorter = shorten(full, Math.floor(left.words * 5), details);
  return shorter !== null && wordsIn(shorter) <= left.words ? shorter : null;
}

const bare = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** One says what the other says. */
function repeats(a: string, b: string): boolean {
  const [left, right] = [bare(a), bare(b)];
  return left.includes(right) || right.includes(left);
}
