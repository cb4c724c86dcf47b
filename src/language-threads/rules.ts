import type { CaptureInput, CaptureSignals } from '../domain/episodes/capture-signals.ts';
import type { Theme, ThemeInput } from '../domain/episodes/theme.ts';
import type { FoundOutcome } from '../domain/links/link-outcome.ts';
import type { LinkingParts } from '../domain/links/linking.ts';
import type { AskedRange, QuestionReading } from '../domain/ranking/question.ts';
import type { Call } from '../reasoner/reasoner.ts';
import type {
  Comparison,
  IncomingTurn,
  Opening,
  OpeningReading,
  SpokenTurn,
  TimePhrase,
  TurnReading,
  WatchedTurns,
} from './rule-functions.ts';

export type { TurnReading };

/** A call with more turns than this has its facts read in the background. */
export const MOST_AT_ONCE = 20;

type Rule<Input, Reading> = (input: Input, call: Call) => Promise<Reading>;

/** Rules for requests: they answer quickly, whatever the text. What they cannot read in time is left to the background steps. */
export type RequestRules = {
  /** Counts the words of each new turn and reads the facts that it states on its own. */
  readTurns: Rule<readonly IncomingTurn[], TurnReading[]>;
  readQuestion: Rule<string, QuestionReading>;
  /** The time range that a question names; null if none. */
  timeRange: Rule<TimePhrase, AskedRange | null>;
};

/** Rules for background steps that are not part of the reasoner. */
type BackgroundRules = {
  theme: Rule<ThemeInput, Theme>;
  captureSignals: Rule<CaptureInput, CaptureSignals>;
  newsIn: Rule<readonly SpokenTurn[], number>;
  readOpening: Rule<Opening, OpeningReading>;
  compareTalks: Rule<Comparison, Omit<LinkingParts, 'recency'>>;
  linkOutcome: Rule<WatchedTurns, FoundOutcome | null>;
};

/** The rules that read users' texts, in threads of their own. */
export type Rules = RequestRules &
  BackgroundRules & {
    /** The version of the rules. */
    name: string;
  };
