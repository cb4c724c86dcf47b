import { pattern } from './pattern.ts';

/** Text that is seen as it stands, on one line. */
const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const ASCII_LINES = /^[\n\t\x20-\x7e]*$/;
/**
 * What nobody sees or what turns the direction of writing (format controls, fillers, tags, variation selectors), but for
 * what holds an emoji together.
 */
const UNSEEN = pattern('gu')`
  ((?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)
  |(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic}))
  |[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]
`;
const BLANK = /[\s\p{Cc}]+/gu;
/** Every control character but line feed and tab. */
const CONTROL = /[^\P{Cc}\n\t]/gu;
/** What some reader takes for the end of a line. */
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Every character that a normal form of Unicode turns into "<", and that itself. */
const OPENING = /[<\u226e\ufe64\uff1c]/u;
const OPENINGS = new RegExp(OPENING, 'gu');
const LEAD = /[\s/]/u;
const IGNORED = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Longer than any tag. */
const LOOK_AHEAD = 16;

/** The text without what nobody sees: a reader may leave it out, and then read something else. */
const withoutUnseen = (text: string): string => text.replace(UNSEEN, '$1');

/** Text as it goes into a line of a prompt: nothing unseen, no line of its own. */
export const onOneLine = (text: string): string =>
  PLAIN_ASCII.test(text)
    ? text.replace(/ {2,}/g, ' ').trim()
    : withoutUnseen(text).replace(BLANK, ' ').trim();

/** Text as it goes into a prompt in lines: nothing unseen, and no end of a line but "\n". */
export const inLines = (text: string): string =>
  ASCII_LINES.test(text) ? text : withoutUnseen(text.replace(LINE_END, '\n')).replace(CONTROL, ' ');

/**
 * Replaces "<" by "‹" wherever a tag of these names may begin: as it is written, or as a reader takes it who normalises
 * Unicode, folds case, or leaves out accents and what is not seen. What ends with "<" counts: a name may stand behind it.
 * Takes time linear in the text.
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

/** The folded text from a place on, without blanks and slashes at its beginning, as far as a tag may reach. */
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
