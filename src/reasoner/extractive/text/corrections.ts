import { termWeight } from '../../../language/en/term-weight.ts';
import { MONTH_NAMES } from '../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../language/text/pattern.ts';
import { distinctTerms, termsOf } from '../../../language/text/terms.ts';
import { capitalised, withStop } from './clean-text.ts';
import type { Sentence } from './sentences.ts';

/** A figure as it was said: a TIME, a DAY or a NUMBER. `unit`: what is counted, empty if not said. */
type Figure = { kind: string; value: string; unit: string };

const COUNTS = source`
  two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen
  |nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred
`;
const DAY = pattern('gi')`
  \b(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?|tomorrow|january|february|april|june|july|august
  |september|october|november|december|\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?= (?:${MONTH_NAMES})))\b
`;
const TIME =
  /\b(?:\d{1,2}[:.]\d\d(?!\d|,\d)|(?:half|quarter) (?:past )?\w{3,6}|\d{1,2} ?(?:am|pm|o'clock))\b/gi;
const NUMBER = pattern('giu')`
  (?<![\p{L}\d.,:])(?<value>\d[\d.,]{0,12}\d|\d|\b(?:${COUNTS})(?:[ -](?:${COUNTS}|one))?\b)(?![\d:])(?:\s?
  (?<unit>[%\p{L}]{1,20}))?
`;

const NO_UNIT = /^(?:and|or|not|no|but|so|a|an|the|in|on|at|to|for|sorry|wait|i|is|it|per)$/;

/** The figures in a sentence. Each is read once, as the most specific kind. */
function figuresOf(text: string): Figure[] {
  const found: Figure[] = [];
  let rest = text.toLowerCase();
  for (const [kind, pattern] of Object.entries({ TIME, DAY })) {
    rest = rest.replace(pattern, (value) => {
      found.push({ kind, value: value.replace(/day$/, ''), unit: '' });
      return ' '.repeat(value.length);
    });
  }
  for (const { groups } of rest.matchAll(NUMBER)) {
    const unit = (groups?.unit ?? '').replace(NO_UNIT, '');
    found.push({ kind: 'NUMBER', value: groups?.value ?? '', unit });
  }
  return found;
}

const isAlike = (a: Figure, b: Figure): boolean =>
  a.kind === b.kind && (a.unit === '' || b.unit === '' || a.unit === b.unit);
const isSame = (a: Figure, b: Figure): boolean => isAlike(a, b) && a.value === b.value;
/** Whether any two of the figures agree. */
const meet = (some: readonly Figure[], others: readonly Figure[], agree: typeof isSame): boolean =>
  some.some((one) => others.some((other) => agree(one, other)));

/** Introduces the wrong figure: "not 140", "instead of Thursday". */
const DENIES =
  /\b(?:not|instead of|rather than|i (?:said|wrote))(?: (?:on|at|the|until|by|for|from|a|about))*(?= ?[$€£]?[\p{L}\d])/giu;
/** Introduces a correction. */
const RIGHTS = pattern('i')`
  ^\W*(?:(?:oh|ah|ok|no|and|but|well)\b\W*)*(?:sorry|oops|whoops|correction|wait|hang on|hold on|scratch that
  |strike that|make (?:that|it)|i meant?|(?:i|we) (?:misread|misspoke|miscounted|mistyped)|my (?:bad|mistake)|typo
  |actually|turns out|i was wrong|(?:that|it) (?:was|is) wrong|that's wrong|no,? (?:it|that|i)(?:'s| is| meant?))\b
`;
const MOVES = pattern('i')`
  \b(?:moved|changed|pushed(?: back)?|postponed|rescheduled|brought forward|shifted|put back|went up|gone up|went down
  |dropped|raised)\b(?:(?! to ).){0,60} to\b
`;
/** A hesitation that is a correction only if the sentence shares terms with the corrected one. */
const HESITATES =
  /^\W*(?:(?:oh|ah|ok|no|and|but|well)\b\W*)*(?:wait|hang on|hold on|actually)\b\W*(?!no\b|not\b|it\b|it's|that|the\b|make\b|i\b)/i;
/** How many turns back a bare "sorry, 45" may correct. */
const NEAR = 4;
/** A correction with fewer terms than this does not make sense by itself. */
const ALONE = 2;

const informativeTerms = (text: string): string[] =>
  [...termsOf(text).keys()].filter((term) => !/\d/.test(term) && termWeight(term) >= 1);

type SentenceReading = { figures: Figure[]; terms: string[] };
const readings = new WeakMap<Sentence, SentenceReading>();

/** The figures and terms of a sentence. Cached, since each sentence is compared with many others. */
function readingOf(sentence: Sentence): SentenceReading {
  const cached = readings.get(sentence);
  if (cached) return cached;
  const reading = { figures: figuresOf(sentence.text), terms: informativeTerms(sentence.text) };
  readings.set(sentence, reading);
  return reading;
}

/** The word right after the denial, which is taken back: "not 140 euros". */
const NEXT = /^\s?[$€£]?(?<first>[^\s,;.]{1,14})/;

/** The figures that a sentence explicitly takes back. */
const deniedIn = (text: string): Figure[] =>
  [...text.matchAll(DENIES)].flatMap(({ 0: cue, index }) =>
    figuresOf(NEXT.exec(text.slice(index + cue.length))?.groups?.first ?? ''),
  );

/** The earlier sentences that this one corrects, the latest last. */
export function wrongBefore<Said extends Sentence>(
  sentence: Sentence,
  before: readonly Said[],
): Said[] {
  const { figures, terms } = readingOf(sentence);
  if (figures.length === 0) return [];
  const shares = (other: Sentence) => readingOf(other).terms.some((term) => terms.includes(term));
  const denied = deniedIn(sentence.text);
  const right = figures.filter((figure) => !meet([figure], denied, isSame));
  const isRight = RIGHTS.test(sentence.text);
  const isBare = terms.length < ALONE;
  if (meet(denied, right, isAlike)) {
    return before.filter(
      (other) =>
        (isRight || isBare || shares(other)) && meet(readingOf(other).figures, denied, isSame),
    );
  }
  const isMove = MOVES.test(sentence.text);
  if (!isMove && !(isRight && (isBare || !HESITATES.test(sentence.text)))) return [];
  const last = before.findLast(
    (other) =>
      sentence.turn - other.turn <= (isMove ? Number.POSITIVE_INFINITY : NEAR) &&
      (isMove || other.role === sentence.role) &&
      ((isBare && !isMove) || shares(other)) &&
      meet(readingOf(other).figures, right, isAlike),
  );
  return last === undefined || meet(readingOf(last).figures, right, isSame) ? [] : [last];
}

/** Up to this length, in characters, a sentence and its correction are quoted as one: a longer one might be cut between them. */
const TOGETHER = 240;

/** Whether a sentence says more than its correction repeats, apart from the figure that is corrected. */
function saysMore(wrong: Sentence, right: Sentence): boolean {
  const [before, after] = [readingOf(wrong), readingOf(right)];
  const counted = distinctTerms(before.figures.map(({ unit }) => unit));
  const missing = (some: readonly Figure[], others: readonly Figure[]) =>
    some.filter((figure) => !meet([figure], others, isSame)).length;
  const isNew = (term: string) => !after.terms.includes(term) && !counted.has(term);
  return (
    before.terms.some((term) => isNew(term) && figuresOf(term).length === 0) ||
    missing(before.figures, after.figures) > missing(after.figures, before.figures)
  );
}

/**
 * Drops sentences whose figure was corrected later, if the correction repeats the rest. A correction that does not, or that
 * makes no sense by itself ("Sorry, 45."), is appended to the sentence that it corrects, so that neither is quoted without
 * the other.
 */
export function corrected(sentences: readonly Sentence[]): Sentence[] {
  let kept: Sentence[] = [];
  for (const sentence of sentences) {
    const wrong = wrongBefore(sentence, kept);
    const last = wrong.findLast(({ role }) => role === sentence.role);
    const both = last && `${withStop(last.text)} ${capitalised(sentence.text)}`;
    const isBare = readingOf(sentence).terms.length < ALONE;
    const isOne = both && (isBare || (both.length <= TOGETHER && saysMore(last, sentence)));
    if (!isOne) kept.push(sentence);
    kept = kept.flatMap((other) => {
      if (isOne && other === last) return [{ ...last, text: both }];
      return wrong.includes(other) ? [] : [other];
    });
  }
  return kept;
}
