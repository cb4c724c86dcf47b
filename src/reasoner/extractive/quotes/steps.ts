import { pattern } from '../../../language/text/pattern.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import { capitalised, plainText, uncapitalised } from '../text/clean-text.ts';
import { splitSentences } from '../text/sentences.ts';
import { shorten } from '../text/shorten.ts';

const NUMBERED = /^[^\S\n]{0,20}(?:step[^\S\n]{1,9})?\d{1,2}[.):]\s{1,9}(.+)$/gim;
/** Where somebody begins to describe steps in sentences. */
const FIRST = /(?:^|[.!?,;:–-]\s{1,3})(?:(?:so|and|i|we|you) ){0,2}first(?:ly| of all)?[,:]?\s/i;
/** Where the next one begins. */
const NEXT = pattern('i')`
  [\s.!?,;:]{1,4}(?:and )?(?:then|afterwards|after that|finally|lastly|(?:next|second(?:ly)?|third(?:ly)?)(?:[,:]| (?=
  (?:i|we|you)\b)))[,:]?\s
`;
/** Who takes a step is not part of it. */
const WHO = /^(?:i|we|you)(?: (?:should|need to|have to|had to|must|can|just))? /i;
/** What happens by itself is no step: "then the train came". */
const EVENT =
  /^(?:the|an?|it|its|this|that|these|those|he|she|they|there|my|our|his|her|their|everything|nothing|all)\b/i;
const STOP = /[.!?](?=\s|$)/;
/** Steps are described in a few sentences. */
const LONGEST = 1_500;
const MOST = 12;

/** The steps of a procedure, as a numbered list or in sentences: "First …, then …, finally …". None if there is but one. */
export function procedureIn(text: string): string[] {
  const listed = stepsOf([...text.matchAll(NUMBERED)].map(([, step = '']) => plainText(step)));
  return listed.length >= 2 ? listed : stepsInOrder(plainText(text));
}

function stepsInOrder(text: string): string[] {
  const [opening, ...rest] = text.split(FIRST);
  if (opening === undefined || rest.length === 0) return [];
  const parts = rest.join(' ').slice(0, LONGEST).split(NEXT);
  const steps = parts.map((step) => (step.split(STOP)[0] ?? '').replace(WHO, ''));
  return steps.length < 2 || steps.some((step) => EVENT.test(step))
    ? []
    : stepsOf(steps.map(capitalised));
}

const stepsOf = (texts: readonly string[]): string[] =>
  texts
    .map((text) => trimEndOf(text, /[.,;\s]/))
    .filter((text) => text !== '')
    .slice(0, MOST);

const TROUBLE = pattern('i')`
  \b(?:keeps? (?:on )?\w+ing|fail(?:s|ed|ing)?|(?:do|does|did|wo|ca|is|are)n't|cannot|not (?:work|start|open|load)\w*
  |only|stopped|br(?:oke|eaks|oken)|error|crash\w*|hangs?|stuck|frozen|leak\w*|drip\w*|squeal\w*|clogged|jammed|slow
  |noise|problem|trouble|issue|wrong|too (?:hot|cold|slow|loud|dark|wet|dry))\b
`;
/** How much of it is quoted, in characters. */
const LONGEST_CLAUSE = 80;

/** What somebody says is wrong, in one clause: "the router drops the line every evening". Null if nothing is. */
export function troubleIn(text: string): string | null {
  const clauses = splitSentences(plainText(text)).map((sentence) => {
    const [clause = ''] = sentence.split(/[,;:](?=\s)|\s[–—-]\s/);
    return trimEndOf(clause, /[.!?\s]/);
  });
  const clause = clauses.find((one) => TROUBLE.test(one) && one.split(' ').length >= 3);
  if (clause === undefined) return null;
  const short = shorten(clause, LONGEST_CLAUSE, []);
  return short && uncapitalised(trimEndOf(short, /[.…\s]/).replace(/\b(?:my|our)\b/gi, 'the'));
}
