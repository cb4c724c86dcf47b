import type { QuestionReading } from '../domain/ranking/question.ts';
import type { Call } from '../reasoner/reasoner.ts';
import type { RuleFunctions, TurnReading } from './rule-functions.ts';

export type { TurnReading };

export type IncomingTurns = Parameters<RuleFunctions['readTurns']>[0]['turns'];

/** Facts are read at once from up to this many turns; those of a larger call are read in the background. */
export const MOST_AT_ONCE = 20;

type Rule<Name extends keyof RuleFunctions> = (
  input: Parameters<RuleFunctions[Name]>[0],
  call: Call,
) => Promise<ReturnType<RuleFunctions[Name]>>;

/** Rules for requests: they answer soon, whatever the text. What is not read in time is left to the background. */
export type RequestRules = {
  /** The words of each turn that is received, and the facts that it states on its own. */
  readTurns(turns: IncomingTurns, call: Call): Promise<TurnReading[]>;
  readQuestion(text: string, call: Call): Promise<QuestionReading>;
  /** The span of time that a question names; null if none. */
  timeRange: Rule<'timeRange'>;
};

/** Rules for background steps, beside those of the reasoner. */
type BackgroundRules = {
  theme: Rule<'theme'>;
  captureSignals: Rule<'captureSignals'>;
  newsIn: Rule<'newsIn'>;
  readOpening: Rule<'readOpening'>;
  compareTalks: Rule<'compareTalks'>;
  linkOutcome: Rule<'linkOutcome'>;
};

/** Rules that read users' texts, in threads of their own. */
export type Rules = RequestRules &
  BackgroundRules & {
    /** The version of the rules. */
    name: string;
  };
