import { EXTRACTIVE } from '../reasoner/extractive/name.ts';
import { ruleFunctions } from './rule-functions.ts';
import { MOST_AT_ONCE, type Rules } from './rules.ts';

/**
 * For tests and tools: the rules without threads and time limits.
 * @public Tools run it as it was built.
 */
export function rulesInPlace(): Rules {
  const { readTurns, readQuestion, timeRange, theme, captureSignals } = ruleFunctions;
  const { newsIn, readOpening, compareTalks, linkOutcome } = ruleFunctions;
  const inPlace =
    <I, O>(rule: (input: I) => O) =>
    async (input: I) =>
      rule(input);
  return {
    name: EXTRACTIVE,
    readTurns: async (turns) => readTurns({ turns, withFacts: turns.length <= MOST_AT_ONCE }),
    readQuestion: inPlace(readQuestion),
    timeRange: inPlace(timeRange),
    theme: inPlace(theme),
    captureSignals: inPlace(captureSignals),
    newsIn: inPlace(newsIn),
    readOpening: inPlace(readOpening),
    compareTalks: inPlace(compareTalks),
    linkOutcome: inPlace(linkOutcome),
  };
}
