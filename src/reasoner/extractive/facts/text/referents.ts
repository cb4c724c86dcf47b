import { singular } from '../../../../language/en/nouns.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { plainEnglish } from '../../text/plain-english.ts';
import { isOccupation } from './jobs.ts';

const THERE = /\b(I|we) (?:still )?(?:live|am living|am based|are based) there\b/i;
const PLACE_NAMED =
  /\b(?:in|to|from|around|near) (\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,4})/gu;
const I_AM_ONE = /^(?:because |since |as |and |so )?I am one(?: myself| too)?\b/i;

/** How many characters before a sentence are searched for what it refers to. */
const LOOK_BACK = 1_000;

/** Resolves "there" in "I live there" and "one" in "I am one" by the text before, if that names a place or an occupation. */
export function withReferents(sentence: string, said: string, question: string | null): string {
  const plain = plainEnglish(sentence);
  const before = said.slice(-LOOK_BACK);
  if (THERE.test(plain)) {
    const place = lastPlace(before) ?? lastPlace((question ?? '').slice(-LOOK_BACK));
    return place === null ? sentence : plain.replace(/\bthere\b/i, `in ${place}`);
  }
  if (!I_AM_ONE.test(plain)) return sentence;
  const job = before
    .match(/\p{L}+(?: \p{L}+)?/gu)
    ?.flatMap((words) => words.split(' '))
    .map((word) => singular(word.toLowerCase()))
    .findLast((word) => isOccupation(word));
  return job ? plain.replace(/\bone(?: myself| too)?\b/i, `a ${job}`) : sentence;
}

const lastPlace = (text: string): string | null =>
  Array.from(text.matchAll(PLACE_NAMED), ([, place = '']) => place).at(-1) ?? null;

/** Says that the text before was a joke. */
export const JOKE = pattern('i')`
  ^\W*(?:(?:ok|okay|no|nah|lol|haha+|sorry|hehe),? ){0,4}(?:(?:I am |i'?m |I was |i was )?(?:just |only )?(?:kidding
  |joking|messing|teasing|winding you up)|jk\b|j\/k|that (?:was|is|is just) a (?:joke|lie)|I made that up)
`;

const NOT_MINE = pattern('iu')`
  ^(?:(?:no|wait|oh|sorry|oops|actually|hang on),? )+(?:that is|that was|it is|this is) (?:my \p{L}+
  (?: \p{L}+){0,2} ?'s?\b|(?:his|hers|theirs)\b|not (?:mine|me|true|right)|wrong|somebody else's|someone else's
  |an? old)
`;

/** Whether a sentence says that the text before it is about somebody else or wrong. */
export const isOfAnother = (sentence: string): boolean => NOT_MINE.test(plainEnglish(sentence));
