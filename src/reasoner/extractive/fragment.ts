import { trimEndOf } from '../../domain/trim-end.ts';
import { weightOf } from './boilerplate.ts';
import { capitalised } from './clean-text.ts';
import { detailsOf } from './details.ts';
import { nounPhrases } from './phrases.ts';
import { asSentence } from './retell.ts';
import { shorten } from './shorten.ts';

const LONGEST_WORD = 60;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Whose words these are cannot be said so briefly. */
const PERSONAL = /\b(?:i|i'\w+|im|my|me|we|our|us|you|your)\b/i;

/**
 * What stands for a source so short that no sentence of it fits: a clause as it was said with its
 * names, numbers and dates, else the noun phrase that tells most, else the word. Only a source whose
 * shortest word is too long gives more than `max` characters.
 *
 * @param said the sentences, the best first, without address
 */
export function fragment(said: readonly string[], max: number, english: boolean): string {
  for (const text of said) {
    if (english && PERSONAL.test(text)) continue;
    const clause = shorten(asSentence(text), max, detailsOf(text));
    if (clause !== null) return clause;
  }
  if (english) {
    const phrase = said
      .flatMap(nounPhrases)
      .map(({ text, worth }) => ({ text, worth: worth + detailsOf(`about ${text}`).length }))
      .filter(({ text }) => text.length <= max)
      .sort((a, b) => b.worth - a.worth)[0];
    if (phrase !== undefined) return capitalised(phrase.text);
  }
  const [best = '…'] = said;
  // One word, an address or a number cannot be told more briefly.
  if (!/\s/.test(best) && best.length <= LONGEST_WORD && said.length === 1) return best;
  return english ? oneWord(said, max) : start(best, max);
}

function oneWord(said: readonly string[], max: number): string {
  const all = said.flatMap(
    (text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? [],
  );
  const fitting = all.filter((word) => word.length <= max);
  const letters = (word: string) => Number(/\p{L}/u.test(word));
  const best = fitting.sort(
    (a, b) => letters(b) - letters(a) || weightOf(b) - weightOf(a) || b.length - a.length,
  )[0];
  const shortest = () => [...all].sort((a, b) => a.length - b.length)[0] ?? said[0] ?? '…';
  return capitalised(best ?? shortest());
}

/** As many whole words from the start as fit, at least one character. */
function start(text: string, max: number): string {
  let taken = '';
  for (const { segment } of words.segment(text)) {
    if (taken.length + segment.length > max) break;
    taken += segment;
  }
  const kept = trimEndOf(taken, /[\s\p{P}]/u);
  if (kept !== '') return kept;
  for (const { segment } of graphemes.segment(text)) return segment;
  return text;
}
