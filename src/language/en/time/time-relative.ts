import { DAY_BEGINS } from '../../../shared/calendar.ts';
import {
  alwaysSure,
  type Form,
  type Moment,
  NUMBER,
  numberOf,
  type Span,
  type TimeUnit,
  unitAt,
} from './time-span.ts';

const UNIT = '(minute|hour|day|week|weekend|month|quarter|year)';
const VAGUE: Record<string, readonly [number, number]> = {
  couple: [2, 3],
  few: [2, 6],
  several: [3, 8],
};
/** A unit in the plural. */
const MANY = /s$/i;
const VAGUELY = '(?:a )?(?:couple(?: of)?|few|several)';

const unitOf = (word: string | undefined): TimeUnit => word?.toLowerCase() as TimeUnit;

/** The range of counts that a word stands for: "few" → 2 to 6, "three" → 3 to 3. */
function rangeOf(word: string): readonly [number, number] {
  const vague = Object.keys(VAGUE).find((key) => word.toLowerCase().includes(key));
  const exact = numberOf(word);
  return (vague && VAGUE[vague]) || [exact, exact];
}

/** A part of a day. The night is what people call so: from the evening to the next morning. */
export function partOf(day: Span, part: string): Span {
  const { MORNING, AFTERNOON, EVENING, NIGHT } = DAY_BEGINS;
  const begin = { morning: MORNING, afternoon: AFTERNOON, evening: EVENING, night: EVENING };
  const end = { morning: AFTERNOON, afternoon: EVENING, evening: NIGHT, night: 24 + MORNING };
  const name = part.toLowerCase() as keyof typeof begin;
  const at = (hour: number) =>
    day.from.plus({ days: Math.floor(hour / 24) }).set({ hour: hour % 24 });
  return { from: at(begin[name]), to: at(end[name]) };
}

const DAYS_BACK: Record<string, number> = { today: 0, tonight: 0, yesterday: 1, 'last night': 1 };

const NAMED_DAY: Form = {
  pattern: /\b(?:today|tonight|yesterday|last night)\b/gi,
  sure: alwaysSure,
  read: ([name], { now }) => {
    const word = name.toLowerCase();
    const day = unitAt(now, 'day', -(DAYS_BACK[word] ?? 0));
    return word.endsWith('night') ? partOf(day, 'night') : day;
  },
};

const THIS_PART: Form = {
  pattern: /\bthis (morning|afternoon|evening)\b/gi,
  sure: alwaysSure,
  read: ([, part = ''], { now }) => partOf(unitAt(now, 'day'), part),
};

/** The last `count` units up to now, in whole days or, for hours and minutes, whole hours. */
function upToNow({ now }: Moment, unit: TimeUnit, count: number): Span {
  const step = unit === 'hour' || unit === 'minute' ? 'hour' : 'day';
  const back = unit === 'weekend' ? { weeks: count } : { [unit]: count };
  return { from: now.minus(back).startOf(step), to: unitAt(now, step).to };
}

/** The unit before the present one. The last weekend is the last one that is over. */
function previous({ now }: Moment, unit: TimeUnit): Span {
  const over = unit === 'weekend' && unitAt(now, unit).to <= now.startOf('day');
  return unitAt(now, unit, over ? 0 : -1);
}

const NEAR_UNIT: Form = {
  pattern: new RegExp(
    `\\b(?:(the )?(last|past|previous)|this|the current)(?: (${NUMBER}|${VAGUELY}))? ${UNIT}s?\\b(?! of\\b)`,
    'gi',
  ),
  sure: alwaysSure,
  read: ([text, the, which, count, name], moment) => {
    const unit = unitOf(name);
    if (!which) return count ? null : unitAt(moment.now, unit);
    // "The last weeks" without a number are a few.
    if (!count && MANY.test(text)) return upToNow(moment, unit, rangeOf('few')[1]);
    if (count) return upToNow(moment, unit, rangeOf(count)[1]);
    const rolling = which.toLowerCase() === 'past' || (the && /last/i.test(text));
    return rolling && unit !== 'weekend' ? upToNow(moment, unit, 1) : previous(moment, unit);
  },
};

const BEFORE_LAST: Form = {
  pattern: new RegExp(`\\bthe ${UNIT} before last\\b`, 'gi'),
  sure: alwaysSure,
  read: ([, name], moment) => {
    const unit = unitOf(name);
    return unitAt(previous(moment, unit).from, unit, -1);
  },
};

/** Without "last" or "this": the weekend that began last, which may be the present one. */
const WEEKEND: Form = {
  pattern: /\b(?:the|a) weekend\b(?! (?:of|before|after)\b)/gi,
  sure: ([text]) => text.toLowerCase().startsWith('the'),
  read: (_, { now }) => {
    const own = unitAt(now, 'weekend');
    return own.from <= now ? own : unitAt(now, 'weekend', -1);
  },
};

/** The unit in "the beginning of the year". */
const THE_UNIT: Form = {
  pattern: /(?<=\b(?:beginning|start|middle|end) of )the (week|month|quarter|year)\b/gi,
  sure: alwaysSure,
  read: ([, name], { now }) => unitAt(now, unitOf(name)),
};

/** "Three days ago" is a day, "three weeks ago" an ISO week, and so on; hours and vague numbers give a wider range. */
const AGO: Form = {
  pattern: new RegExp(`\\b(an?|${NUMBER}|${VAGUELY}) ${UNIT}s? ago\\b`, 'gi'),
  sure: alwaysSure,
  read: ([, count = '', name], { now }) => {
    const unit = unitOf(name);
    const [least, most] = rangeOf(count);
    if (unit === 'hour' || unit === 'minute') {
      return { from: now.minus({ [unit]: 2 * most }), to: unitAt(now, 'minute').to };
    }
    const newest = unitAt(now, unit, -least);
    return most === least ? newest : { from: unitAt(now, unit, -most).from, to: newest.to };
  },
};

/** Times relative to now. */
export const RELATIVE_FORMS: readonly Form[] = [
  NAMED_DAY,
  THIS_PART,
  NEAR_UNIT,
  BEFORE_LAST,
  WEEKEND,
  THE_UNIT,
  AGO,
];
