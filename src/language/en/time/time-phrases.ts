import { DateTime, type DurationLike } from 'luxon';
import { pattern, source } from '../../text/pattern.ts';
import { WEEKDAY } from './named-date.ts';
import { DATE_FORMS } from './time-dates.ts';
import { MONTH, NAMED_FORMS } from './time-names.ts';
import { partOf, RELATIVE_FORMS } from './time-relative.ts';
import {
  type Form,
  type Moment,
  NUMBER,
  numberOf,
  type Span,
  type TimeUnit,
  unitAt,
} from './time-span.ts';

/** A time range that includes `from` and excludes `to`; null = open on that side. */
export type TimeRange = { from: Date | null; to: Date | null; phrase: string };

const FORMS = [...DATE_FORMS, ...RELATIVE_FORMS, ...NAMED_FORMS];

/** Without one of these hints a text names no time, and the other patterns need not be tried. */
const HINT = new RegExp(
  source`
    \b(?:yesterday|today|tonight|this (?:morning|afternoon|evening)|last night|(?:minute|hour|day|week|weekend|month
    |quarter|year)s?|${WEEKDAY}|${MONTH}\b|spring|summer|autumn|fall|winter|christmas|new year|halloween|valentine
    |easter|thanksgiving|the \d+(?:st|nd|rd|th)|Q[1-4]|W\d\d|(?:19|20)\d\d|\d+[./]\d+[./]\d+)
  `,
  'i',
);

/** Words before a time: its direction, a part of it or a distance from it, in this order. */
const LEAD = new RegExp(
  source`
    (?:\b(since|until|till|up to|up until|through|by|before|prior to|after|from|in|during|over|on|at|around|between
    |within|throughout)\s+)?
  ` +
    source`
      (?:(?:the |in (?:the )?|on (?:the )?)?\b(?:(early|mid|late|beginning of|start of|first (?:week|half|days) of
      |middle of|end of|last (?:week|half|days) of)|(morning|afternoon|evening|night) of|(the|an?|${NUMBER}) (day
      |week|weekend|month|year)s? (before|after))[ -]+(?:in )?)?
    ` +
    '(?:the\\s+)?$',
  'i',
);
/** "The table for Saturday": Saturday is the topic, not when it was said. */
const FOR = /\bfor (?:the )?$/i;
const PASSED = /^(?:the )?(?:last|past)\b/i;
const JOIN =
  /^ {0,9}(?:, {0,9})?(?:and|or|to|until|till|through|-|–) {1,9}(?:the |in |on |from )?$/i;
const WITHIN = /^,?\s*(?:(?:of|in|on)\s+)?(?:the\s+)?$/i;
const PART_AFTER = /^,?\s+(?:(?:in|at)\s+(?:the\s+)?)?(morning|afternoon|evening|night)\b/i;
const ONWARDS = /^\s+on(?:wards?)?\b/i;

/** Words about the future: "Monday" is the coming one then, on which nothing was said yet. */
const COMING = pattern('i')`
  \b(?:will|won't|shall|must|should|upcoming|tomorrow|deadline|due|remind me|(?:going|have|has|need|want|plan|hope
  |supposed|scheduled|about) to|plan(?:ned|s)? for|do (?:i|we) have (?:on|for)|what(?:'s| is) on)\b|'ll\b
`;
const PAST =
  /\b(?:did|didn't|was|were|had|happened|said|told|talked|discussed|mentioned|decided|agreed|went)\b/i;

/** The maximum length of the words before a time, in characters. */
const LONGEST_LEAD = 120;
/** How many times in one text are read: real questions name fewer. */
const MOST_TIMES = 20;
/** How many characters are read: real questions are shorter. */
const READ = 2_000;

type Found = { form: Form; match: RegExpExecArray; index: number; end: number; lead: Lead };
type Lead = { index: number; found: boolean; words: RegExpExecArray };

/** Whether a text may contain a time phrase. Cheap. */
export const mayNameTime = (text: string): boolean => HINT.test(text);

/**
 * The time range of the first time phrase in an English text ("last week", "in March", "since 3 May"), on the
 * calendar of a time zone (IANA name). Bare months and weekdays are the most recent past ones; weeks are ISO weeks.
 * Null without a phrase, and for a range in the future: nothing was said in it yet.
 */
export function timeRangeIn(text: string, now: Date, timeZone: string): TimeRange | null {
  if (!mayNameTime(text)) return null;
  const plain = text.slice(0, READ).replaceAll('’', "'").replace(/\s/g, ' ');
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  const times = findTimes(plain);
  const coming = COMING.test(plain) && !PAST.test(plain);
  for (const [place, first] of times.entries()) {
    const read = readFrom(plain, first, times[place + 1], { now: local, latest: local });
    const range = read && !(coming && read.span.within) && directed(plain, first, read, local);
    if (range) return range;
  }
  return null;
}

/** All times in a text from left to right, the longest at each place. */
function findTimes(text: string): Found[] {
  const all = FORMS.flatMap((form) =>
    [...text.matchAll(form.pattern)].map((match) => {
      const end = match.index + match[0].length;
      return { form, match, index: match.index, end, lead: leadOf(text, match.index) };
    }),
  ).sort((a, b) => a.index - b.index || b.end - a.end);
  const times: Found[] = [];
  for (const time of all) {
    const before = times.at(-1);
    if (before && time.index < before.end) continue;
    if (times.length === MOST_TIMES) break;
    if (FOR.test(endOf(text, time.lead.index)) && !PASSED.test(time.match[0])) continue;
    const joined = before !== undefined && JOIN.test(text.slice(before.end, time.index));
    if (time.form.sure(time.match) || time.lead.found || joined) times.push(time);
  }
  return times;
}

function leadOf(text: string, index: number): Lead {
  const before = endOf(text, index);
  const words = LEAD.exec(before) as RegExpExecArray;
  const found = words[1] !== undefined || words[2] !== undefined || words[6] !== undefined;
  return { index: index - before.length + words.index, found, words };
}

/** The text before an index, as far as it can matter. */
const endOf = (text: string, index: number): string =>
  text.slice(Math.max(0, index - LONGEST_LEAD), index);

type Read = { span: Span; end: number };

/** Reads a time together with a second one that belongs to it: "Monday" of "last week", "3 May" to "7 June". */
function readFrom(text: string, first: Found, second: Found | undefined, moment: Moment) {
  const span = first.form.read(first.match, moment);
  const alone = span && { span, end: first.end };
  const between = second && text.slice(first.end, second.index);
  const other = second?.form.read(second.match, moment);
  if (!second || between === undefined || !other) return alone;
  if (WITHIN.test(between)) return combined(alone, { span: other, end: second.end });
  if (!JOIN.test(between)) return alone;
  const earlier = first.form.read(first.match, { ...moment, latest: other.from });
  if (!earlier || earlier.from >= other.to) return alone;
  return { span: { from: earlier.from, to: other.to }, end: second.end };
}

function combined(inner: Read | null, outer: Read): Read | null {
  const pairs = [
    [inner?.span.within, outer.span],
    [outer.span.within, inner?.span],
  ] as const;
  for (const [within, whole] of pairs) {
    if (!within || within.unit !== whole?.unit) continue;
    const span = within.of(whole.from);
    return span && { span, end: outer.end };
  }
  return inner;
}

/** Applies the words around the time: "since", "the day before", "early", "in the morning". */
function directed(text: string, first: Found, read: Read, now: DateTime): TimeRange | null {
  const [, word = '', portion, part, count, unit, side] = first.lead.words;
  const direction = word.toLowerCase();
  const rest = text.slice(read.end);
  const onwards = direction === 'from' ? ONWARDS.exec(rest) : null;
  const whole = count ? shifted(read.span, count, unit as TimeUnit, side) : read.span;
  const later = whole.unit === 'day' ? PART_AFTER.exec(rest) : null;
  const span = partOfSpan(whole, portion, part ?? later?.[1]);
  const { from, to } = bounds(onwards ? 'since' : direction, span);
  // A range can be empty: Samoa had no 30 December 2011.
  if (from && to && from >= to) return null;
  if ((from ?? now) > now || (from === null && to !== null && to > now)) return null;
  const end = read.end + ((onwards ?? later)?.[0].length ?? 0);
  const phrase = text.slice(first.lead.index, end).trim();
  return { from: from?.toJSDate() ?? null, to: to?.toJSDate() ?? null, phrase };
}

/** "Two weeks before Christmas", "the day after". */
function shifted(span: Span, count: string, unit: TimeUnit, side: string | undefined): Span {
  const moved = numberOf(count);
  if (side?.toLowerCase() === 'before') return unitAt(span.from, unit, -moved);
  const last = span.to.minus({ days: 1 });
  // The first weekend after a Monday is that of its own week.
  const isAhead = unit === 'weekend' && unitAt(last, unit).from >= span.to;
  return unitAt(last, unit, isAhead ? moved - 1 : moved);
}

/** A part of a time: the morning of a day, or a third or a half of something longer. */
function partOfSpan(span: Span, portion: string | undefined, part: string | undefined): Span {
  if (part) return span.unit === 'day' ? partOf(span, part) : span;
  if (!portion) return span;
  const length = shareOf(span, /half/i.test(portion) ? 2 : 3);
  if (!length) return span;
  if (/^(?:early|beginning|start|first)/i.test(portion)) {
    return { from: span.from, to: span.from.plus(length) };
  }
  if (/^mid/i.test(portion)) {
    return { from: span.from.plus(length), to: span.to.minus(length) };
  }
  return { from: span.to.minus(length), to: span.to };
}

/** The length of a half or a third of a time: in months if it can be, else in days; null if it is shorter than a day. */
function shareOf({ from, to }: Span, parts: 2 | 3): DurationLike | null {
  const months = to.diff(from, 'months').months / parts;
  if (Number.isInteger(months)) return { months };
  const days = Math.floor(to.diff(from, 'days').days / parts);
  return days < 1 ? null : { days };
}

/** The bounds by direction: "until" includes the time itself, "before" and "after" exclude it. */
function bounds(direction: string, { from, to }: Span) {
  if (direction === 'since') return { from, to: null };
  if (direction === 'after') return { from: to, to: null };
  if (/^(?:before|prior to)$/.test(direction)) return { from: null, to: from };
  if (/^(?:until|till|up to|up until|through|by)$/.test(direction)) return { from: null, to };
  return { from, to };
}
