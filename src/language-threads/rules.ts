import type { QuestionReading } from '../domain/ranking/question.ts';
import type { Call } from '../reasoner/reasoner.ts';
import type { RuleFunctions, TurnReading } from './rule-functions.ts';

export type { TurnReading };

export type IncomingTurns = Parameters<RuleFunctions['readTurns']>[0]['turns'];

/** A call with more turns than this has its facts read in the background. */
export const MOST_AT_ONCE = 20;

type Rule<Name extends keyof RuleFunctions> = (
  input: Parameters<RuleFunctions[Name]>[0],
  call: Call,
) => Promise<ReturnType<RuleFunctions[Name]>>;

/** Rules for requests: they answer quickly, whatever the text. What they cannot read in time is left to the background steps. */
export type RequestRules = {
  /** Counts the words of each new turn and reads the facts that it states on its own. */
  readTurns(turns: IncomingTurns, call: Call): Promise<TurnReading[]>;
  readQuestion(text: string, call: Call): Promise<QuestionReading>;
  /** The time range that a question names; null if none. */
  timeRange: Rule<'timeRange'>;
};

/** Rules for background steps that are not part of the reasoner. */
type BackgroundRules = {
  theme: Rule<'theme'>;
  captureSignals: Rule<'captureSignals'>;
  newsIn: Rule<'newsIn'>;
  readOpening: Rule<'readOpening'>;
  compareTalks: Rule<'compareTalks'>;
  linkOutcome: Rule<'linkOutcome'>;
};

/** The rules that read users' texts, in threads of their own. */
export type Rules = RequestRules &
  BackgroundRules & {
    /** The version of the rules. */
    name: string;
  };
