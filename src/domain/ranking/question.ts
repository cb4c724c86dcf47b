import { answerTerms, askedKeysOf } from '../../language/en/asked-keys.ts';
import { asksForAnything, isAboutSpeakers, namesSomeone } from '../../language/en/query-cues.ts';
import { recallIntentOf } from '../../language/en/recall-intent.ts';
import { mayNameTime, type TimeRange, timeRangeIn } from '../../language/en/time/time-phrases.ts';
import { queryFormsOf } from '../../language/text/terms.ts';
import { type RankingQuery, readQuery } from './ranking.ts';

/** The rules' reading of a question. */
export type QuestionReading = {
  ranking: RankingQuery;
  /** See `queryFormsOf`. */
  forms: string[];
  /** The keys of facts that answer it directly. */
  keys: readonly string[];
  /** It asks for earlier talk. */
  asksForEarlierTalk: boolean;
  /** It may contain a time phrase. */
  mayNameTime: boolean;
  /** It sounds like a continuation of earlier talk. */
  continues: boolean;
};

/** The rules read this many characters. Questions are shorter; of a longer text only the words count. */
const READ = 2_000;

/** Reads a text as a question. */
export function asQuestion(text: string): Omit<QuestionReading, 'continues'> {
  const beginning = text.slice(0, READ);
  const keys = askedKeysOf(beginning);
  const ranking = readQuery(text);
  return {
    ranking: { ...ranking, terms: [...new Set([...ranking.terms, ...answerTerms(keys)])] },
    forms: queryFormsOf(text),
    keys,
    asksForEarlierTalk: recallIntentOf(beginning).recall,
    mayNameTime: mayNameTime(beginning),
  };
}

/** The period that a question names. */
export type AskedRange = TimeRange & {
  /** Only this period is searched. */
  filters: boolean;
  /** It is not widened even if nothing is found in it. */
  isStrict: boolean;
  /** It asks for whatever was said in it. */
  asksForAll: boolean;
};

/**
 * Finds the period that a question names. It filters if the question says "we" or "I" or names nobody: then the period is
 * when something was said. What others did is often said later (a quarter of the answers to LoCoMo's dated questions followed
 * the date), so there the period only raises scores. It is strict if the question asks what was said, or what there was
 * at all; otherwise the time may belong to the thing asked about ("the race in May"), which may have been said at another time.
 */
export function askedRangeIn(text: string, now: Date, timeZone: string): AskedRange | null {
  const beginning = text.slice(0, READ);
  const range = timeRangeIn(beginning, now, timeZone);
  if (!range) return null;
  const rest = beginning.replace(range.phrase, ' ');
  const asksForAll = asksForAnything(readQuery(rest).terms);
  const filters = isAboutSpeakers(beginning) || !namesSomeone(rest);
  const isStrict = asksForAll || recallIntentOf(beginning).recall;
  return { ...range, filters, isStrict, asksForAll };
}

/** The reading of a question that the rules cannot read: its words only. */
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
