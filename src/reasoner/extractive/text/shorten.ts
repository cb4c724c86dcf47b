import { pattern } from '../../../language/text/pattern.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import { weightOf } from './boilerplate.ts';
import { capitalised } from './clean-text.ts';
import { holds } from './details.ts';

/** Where a clause may be cut off: the words that open the next one stay with it. */
const BORDERS = pattern('gi')`
  (?:\s{0,9}[,;:]\s{1,9}|\s{1,9}[–—-]{1,9}\s{1,9}|(?<=\))\s|\s{1,9}(?=\()
  |\s{1,9}(?=(?:because|since|although|though|while|whereas|which|where|when|so that|if|unless|until|after
  |before|as (?:well|long|soon)|but (?:I|we|they|he|she|it|you|this|that|the|there|then|not|no|only|my|our|when|if)
  |and (?:I|we|they|he|she|it|that|the|then|have|has|was|is|are|were|will|would|can
  |got|just|\w+ed)|or (?:I|we|they))\b))
`;
const SUBORDINATE = pattern('i')`
  ^(?:when|if|after|since|because|while|although|though|as|before|once|until|unless|whenever|by|in|on|at|for
  |during|with|besides|apart)\b
`;
/** A sentence does not end with these. */
const DANGLING = new Set(
  (
    'and or but so with to the a an of in on at for from by as that which because if when while my their his her ' +
    'our your is are was were be am not very really just also like than about into i we they he she it who what ' +
    'where how why said asked'
  ).split(' '),
);
/** The longest of them, and what parts it from the rest. */
const LONGEST_DANGLING = 8;
/** What a cut must leave: "A lot has happened" alone says nothing. */
const TELLING = 1.5;

/** A text without words that a sentence cannot end with. */
export function trimDangling(text: string): string {
  let rest = trimEndOf(text, /[\s.,;:–—-]/);
  for (;;) {
    const [found, word = ''] = /[\s,;:]([a-z]+)$/i.exec(rest.slice(-LONGEST_DANGLING)) ?? [];
    if (found === undefined || !DANGLING.has(word.toLowerCase())) return rest;
    // "at 5 am"
    if (word === 'am' && /\d\s?am$/.test(rest.slice(-LONGEST_DANGLING))) return rest;
    rest = trimEndOf(rest.slice(0, -word.length), /[\s,;:–—-]/);
  }
}

const balanced = (text: string) =>
  (text.match(/\(/g)?.length ?? 0) === (text.match(/\)/g)?.length ?? 0) &&
  (text.match(/"/g)?.length ?? 0) % 2 === 0;

/**
 * A sentence cut at the end of a clause to at most `max` characters, with every one of `details` kept; null if that cannot
 * be done. What is left out at the end is shown by "…".
 */
export function shorten(sentence: string, max: number, details: readonly string[]): string | null {
  if (sentence.length <= max) return sentence;
  const fits = (text: string) =>
    text.length <= max &&
    holds(text, details) &&
    balanced(text) &&
    text.split(' ').length >= 3 &&
    weightOf(text) >= TELLING;
  const cut = (text: string) => `${trimDangling(text)}…`;
  const candidates = [...heads(sentence).map(cut), ...tails(sentence).map(capitalised)];
  return candidates.filter(fits).sort((a, b) => b.length - a.length)[0] ?? null;
}

/** What stands before each border. */
function heads(sentence: string): string[] {
  return [...sentence.matchAll(BORDERS)]
    .filter(({ 0: border, index }) => !inList(border, sentence.slice(index + border.length)))
    .map(({ index }) => sentence.slice(0, index))
    .filter(isWhole);
}

/** A main clause is in it, and no clause is left hanging. */
function isWhole(head: string): boolean {
  const clause = head.replace(/^.{1,40}? (?:said|asked) /, '');
  if (SUBORDINATE.test(clause) && !/[,;]/.test(clause)) return false;
  // Behind the last comma only: looked for from every "and" on to the end, a text full of them would take long.
  const last = head.slice(Math.max(0, head.lastIndexOf(',')));
  return !/[, ](?:but|and|so) (?:when|if|while|after|since|because|although|as)\b/i.test(last);
}

/** Between the items of "pens, paper and ink": a cut there would leave half a list. */
function inList(border: string, rest: string): boolean {
  if (!border.includes(',') || /^(?:and|or|but) (?:i|we|they|he|she|it|the|that)\b/i.test(rest))
    return false;
  const [item = ''] = rest.split(/,|\band\b|\bor\b/);
  return (
    item.trim().split(/\s+/).length <= 4 &&
    /^(?:and|or)\b|^[^.;]{0,40}?(?:,| )\s*(?:and|or)\b/i.test(rest)
  );
}

/** What stands behind the border of a clause that only leads in: "When I got home, …". */
function tails(sentence: string): string[] {
  if (!SUBORDINATE.test(sentence)) return [];
  const comma = sentence.indexOf(', ');
  if (comma < 0) return [];
  const rest = sentence.slice(comma + 2);
  return [rest];
}
