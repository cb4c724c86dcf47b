import { askedKeysOf } from '../../language/en/asked-keys.ts';
import { asksForAnything, isAboutSpeakers, namesSomeone } from '../../language/en/query-cues.ts';
import { recallIntentOf } from '../../language/en/recall-intent.ts';
import { mayNameTime, type TimeRange, timeRangeIn } from '../../language/en/time/time-phrases.ts';
import { queryFormsOf } from '../../language/text/terms.ts';
import { type RankingQuery, readQuery } from './ranking.ts';

/** What the rules read in the text of a question. */
export type QuestionReading = {
  ranking: RankingQuery;
  /** See `queryFormsOf`. */
  forms: string[];
  /** The keys whose facts answer it outright. */
  keys: readonly string[];
  /** It asks for what was said before. */
  asksForEarlierTalk: boolean;
  /** It is worth while to look for a time phrase. */
  mayNameTime: boolean;
  /** It sounds as if it went on from what was said before. */
  continues: boolean;
};

/** Nobody asks at greater length: of a longer text only the words count. */
const READ = 2_000;

export function asQuestion(text: string): Omit<QuestionReading, 'continues'> {
  const asked = text.slice(0, READ);
  return {
    ranking: readQuery(text),
    forms: queryFormsOf(text),
    keys: askedKeysOf(asked),
    asksForEarlierTalk: recallIntentOf(asked).recall,
    mayNameTime: mayNameTime(asked),
  };
}

/** The span of time that a question names. */
export type AskedRange = TimeRange & {
  /** Nothing else is searched. */
  filters: boolean;
  /** Nothing else is wanted either where nothing was said in it. */
  isStrict: boolean;
};

/**
 * Who says "we" or "I", or names nobody, asks when it was said. Of others one tells later: a quarter of what answers LoCoMo's
 * dated questions was said after the date; there the span only raises what lies in it. Unless one asks what was said, or what
 * there was at all, the time may be that of the thing asked about ("the race in May"), of which one told at another.
 */
export function askedRangeIn(text: string, now: Date, timeZone: string): AskedRange | null {
  const asked = text.slice(0, READ);
  const range = timeRangeIn(asked, now, timeZone);
  if (!range) return null;
  const rest = asked.replace(range.phrase, ' ');
  const asksForAll = asksForAnything(readQuery(rest).terms);
  const filters = isAboutSpeakers(asked) || !namesSomeone(rest);
  return { ...range, filters, isStrict: asksForAll || recallIntentOf(asked).recall };
}

/** How a question is read while no rule can read it: by its words as they stand. */
export function plainQuestion(text: string): QuestionReading {
  const words = text
    .slice(0, READ)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u)
    .filter(Boolean);
  const terms = [...new Set(words)].slice(0, 64);
  return {
    ranking: { terms, asksForTime: false, asksForReply: false, namedDate: null, timeZone: 'UTC' },
    forms: terms,
    keys: [],
    asksForEarlierTalk: false,
    mayNameTime: false,
    continues: false,
  };
}
