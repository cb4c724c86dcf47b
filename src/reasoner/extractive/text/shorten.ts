import { pattern } from '../../../language/text/pattern.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import { weightOf } from './boilerplate.ts';
import { capitalised } from './clean-text.ts';

/** The boundaries at which a clause may be cut off. The words that open the next clause belong to that. */
const BORDERS = pattern('gi')`
  (?:\s{0,9}[,;:]\s{1,9}|\s{1,9}[–—-]{1,9}\s{1,9}|(?<=\))\s|\s{1,9}(?=\()|\s{1,9}(?=(?:because|since|although|though
  |while|whereas|which|where|when|so that|if|unless|until|after|before|as (?:well|long|soon)|but (?:I|we|they|he|she
  |it|you|this|that|the|there|then|not|no|only|my|our|when|if)|and (?:I|we|they|he|she|it|that|the|then|have|has|was
  |is|are|were|will|would|can|got|just|\w+ed)|or (?:I|we|they))\b))
`;
const SUBORDINATE = pattern('i')`
  ^(?:when|if|after|since|because|while|although|though|as|before|once|until|unless|whenever|by|in|on|at|for|during
  |with|besides|apart)\b
`;
/** Words with which a sentence cannot end. */
const DANGLING = new Set(
  (
    'and or but so with to the a an of in on at for from by as that which because if when while my their his her ' +
    'our your is are was were be am not very really just also like than about into i we they he she it who what ' +
    'where how why said asked'
  ).split(' '),
);
/** The length of the longest of them with the character before it. */
const LONGEST_DANGLING = 8;
/** The minimum weight of the remaining text: "A lot has happened" alone says nothing. */
const LEAST_WEIGHT = 1.5;

export function trimDangling(text: string): string {
  let rest = trimEndOf(text, /[\s.,;:–—-]/);
  for (;;) {
    const [found, word = ''] = /[\s,;:]([a-z]+)$/i.exec(rest.slice(-LONGEST_DANGLING)) ?? [];
    if (found === undefined || !DANGLING.has(word.toLowerCase())) return rest;
    // "am" may end a sentence: "at 5 am".
    if (word === 'am' && /\d\s?am$/.test(rest.slice(-LONGEST_DANGLING))) return rest;
    rest = trimEndOf(rest.slice(0, -word.length), /[\s,;:–—-]/);
  }
}

/** Cuts a text to at most `most` characters after a whole word, with "…" at the end. */
export const cutShort = (text: string, most: number): string =>
  text.length <= most ? text : `${trimDangling(text.slice(0, most).replace(/\s\S*$/, ''))}…`;

const balanced = (text: string) =>
  (text.match(/\(/g)?.length ?? 0) === (text.match(/\)/g)?.length ?? 0) &&
  (text.match(/"/g)?.length ?? 0) % 2 === 0;

/**
 * Cuts a sentence at the end of a clause to at most `max` characters, keeping all `details`. Null if that is impossible. If
 * the end is left out, the result ends with "…".
 */
export function shorten(sentence: string, max: number, details: readonly string[]): string | null {
  if (sentence.length <= max) return sentence;
  const fits = (text: string) =>
    text.length <= max &&
    details.every((detail) => text.toLowerCase().includes(detail.toLowerCase())) &&
    balanced(text) &&
    text.split(' ').length >= 3 &&
    weightOf(text) >= LEAST_WEIGHT;
  const cut = (text: string) => `${trimDangling(text)}…`;
  const candidates = [...heads(sentence).map(cut), ...tails(sentence).map(capitalised)];
  return candidates.filter(fits).sort((a, b) => b.length - a.length)[0] ?? null;
}

/** The text before each boundary. */
function heads(sentence: string): string[] {
  return [...sentence.matchAll(BORDERS)]
    .filter(({ 0: border, index }) => !inList(border, sentence.slice(index + border.length)))
    .map(({ index }) => sentence.slice(0, index))
    .filter(isWhole);
}

/** Whether a text has a main clause and no incomplete one. */
function isWhole(head: string): boolean {
  const clause = head.replace(/^.{1,40}? (?:said|asked) /, '');
  if (SUBORDINATE.test(clause) && !/[,;]/.test(clause)) return false;
  // Only after the last comma: searching from every "and" to the end would take quadratic time.
  const last = head.slice(Math.max(0, head.lastIndexOf(',')));
  return !/[, ](?:but|and|so) (?:when|if|while|after|since|because|although|as)\b/i.test(last);
}

/** Whether a boundary is between the items of a list ("pens, paper and ink"), which must not be cut. */
function inList(border: string, rest: string): boolean {
  if (!border.includes(',') || /^(?:and|or|but) (?:i|we|they|he|she|it|the|that)\b/i.test(rest))
    return false;
  const [item = ''] = rest.split(/,|\band\b|\bor\b/);
  return (
    item.trim().split(/\s+/).length <= 4 &&
    /^(?:and|or)\b|^[^.;]{0,40}?(?:,| )\s*(?:and|or)\b/i.test(rest)
  );
}

/** The text after an introductory clause: "When I got home, …". */
function tails(sentence: string): string[] {
  if (!SUBORDINATE.test(sentence)) return [];
  const comma = sentence.indexOf(', ');
  return comma < 0 ? [] : [sentence.slice(comma + 2)];
}
