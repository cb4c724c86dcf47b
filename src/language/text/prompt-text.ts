import { pattern } from './pattern.ts';

/** Text of one line that needs no change. */
const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const ASCII_LINES = /^[\n\t\x20-\x7e]*$/;
/**
 * Characters that are invisible or change the writing direction (format controls, fillers, tags, variation selectors),
 * except for those inside an emoji.
 */
const UNSEEN = pattern('gu')`
  ((?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Extended_Pictographic}\ufe0f?
  |\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic}))|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]
`;
const BLANK = /[\s\p{Cc}]+/gu;
/** Control characters other than line feed and tab. */
const CONTROL = /[^\P{Cc}\n\t]/gu;
/** Everything that a reader may take for the end of a line. */
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** "<" and every character that a normal form of Unicode turns into it. */
const OPENING = /[<\u226e\ufe64\uff1c]/u;
const OPENINGS = new RegExp(OPENING, 'gu');
const LEAD = /[\s/]/u;
const IGNORED = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** In characters, longer than any tag. */
const LOOK_AHEAD = 16;

/** Removes invisible characters: a model may ignore them and then read another text than people see. */
const withoutUnseen = (text: string): string => text.replace(UNSEEN, '$1');

/** Prepares text for one line of a prompt: no invisible characters, no line breaks. */
export const onOneLine = (text: string): string =>
  PLAIN_ASCII.test(text)
    ? text.replace(/ {2,}/g, ' ').trim()
    : withoutUnseen(text).replace(BLANK, ' ').trim();

/** Prepares text of several lines for a prompt: no invisible characters, and only "\n" as a line break. */
export const inLines = (text: string): string =>
  ASCII_LINES.test(text) ? text : withoutUnseen(text.replace(LINE_END, '\n')).replace(CONTROL, ' ');

/**
 * Returns a function that replaces "<" by "‹" wherever a tag with one of these names may begin, also for a reader that
 * normalises Unicode, folds case, or ignores accents and invisible characters. A "<" at the end of a text counts, since a name
 * may follow. Takes linear time.
 */
export function tagBreaker(names: readonly string[]): (text: string) => string {
  return (text) =>
    OPENING.test(text)
      ? text.replace(OPENINGS, (opening, at: number) => {
          const behind = readBehind(text, at + opening.length);
          return behind === '' || names.some((name) => behind.startsWith(name)) ? '‹' : opening;
        })
      : text;
}

/** The folded text after a position, without leading spaces and slashes, as far as a tag may reach. */
function readBehind(text: string, from: number): string {
  let found = '';
  for (let at = from; at < text.length && found.length < LOOK_AHEAD; ) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (OPENING.test(character)) return found === '' ? '<' : found;
    for (const letter of folded(character)) if (found || !LEAD.test(letter)) found += letter;
    at += character.length;
  }
  return found;
}

const folded = (character: string): string =>
  character.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD').replace(IGNORED, '');
