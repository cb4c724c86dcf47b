import type { CaptureInput, CaptureSignals } from '../domain/episodes/capture-signals.ts';
import type { Theme, ThemeInput } from '../domain/episodes/theme.ts';
import type { FoundOutcome } from '../domain/links/link-outcome.ts';
import type { LinkingParts } from '../domain/links/linking.ts';
import type { AskedRange, QuestionReading } from '../domain/ranking/question.ts';
import type { Call } from '../reasoner/reasoner.ts';
import type {
  Comparison,
  IncomingTurn,
  ThreadOpening,
  ThreadOpeningReading,
  TimePhrase,
  TurnReading,
  TurnText,
  WatchedTurns,
} from './rule-functions.ts';

export type { TurnReading };

/** A call with more turns than this has its facts read in the background. */
export const MOST_AT_ONCE = 20;

type Reader<Input, Reading> = (input: Input, call: Call) => Promise<Reading>;

/** Rules for requests: they answer quickly, whatever the text. What they cannot read in time is left to the background steps. */
export type RequestRules = {
  /** Counts the words of each new turn and reads the facts that it states on its own. */
  readTurns: Reader<readonly IncomingTurn[], TurnReading[]>;
  readQuestion: Reader<string, QuestionReading>;
  /** The time range that a question names; null if none. */
  timeRange: Reader<TimePhrase, AskedRange | null>;
};

/** Rules for background steps that are not part of the reasoner. */
type BackgroundRules = {
  theme: Reader<ThemeInput, Theme>;
  captureSignals: Reader<CaptureInput, CaptureSignals>;
  newsIn: Reader<readonly TurnText[], number>;
  readOpening: Reader<ThreadOpening, ThreadOpeningReading>;
  compareTalks: Reader<Comparison, Omit<LinkingParts, 'recency'>>;
  linkOutcome: Reader<WatchedTurns, FoundOutcome | null>;
};

/** The rules that read users' texts, in threads of their own. */
export type Rules = RequestRules &
  BackgroundRules & {
    /** The version of the rules. */
    name: string;
  };
