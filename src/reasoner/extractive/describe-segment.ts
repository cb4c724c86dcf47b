import { pattern } from '../../language/text/pattern.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';
import { outcomesOf } from './quotes/outcomes.ts';
import { type Participants, participantsOf, sentenceWorth } from './quotes/participants.ts';
import { quotesOf, spokenWords } from './quotes/quotes.ts';
import { inSummaryOrder } from './quotes/summary-order.ts';
import { headingOf } from './quotes/title.ts';
import { corrected } from './text/corrections.ts';
import {
  isPerson,
  MOST_SENTENCES,
  openingOf,
  type RankedSentence,
  rankSentences,
} from './text/rank-sentences.ts';
import { sentencesOf } from './text/sentences.ts';
import { shorten } from './text/shorten.ts';

/** The summary has a tenth of the characters of its turns, within bounds, since an episode may have an eighth at most. */
const SUMMARY = { sentences: 4, least: 295, most: 420, share: 1 / 10 } as const;
const APPROACH = 140;

/**
 * Describes a segment: title, topic, outcome and a summary of its most informative sentences, word for word with
 * their speakers and without repetitions.
 */
export function describeSegment({
  turns,
}: Pick<StepArguments<'describe-segment'>, 'turns'>): StepOutput<'describe-segment'> {
  const people = participantsOf(turns);
  const sentences = corrected(sentencesOf(turns));
  const ranked = rankSentences(sentences, {
    worth: (sentence) => sentenceWorth(sentence, people),
    most: MOST_SENTENCES.segment,
  });
  const length = sentences.reduce((sum, { text }) => sum + text.length, 0);
  const characters = Math.min(SUMMARY.most, Math.max(SUMMARY.least, length * SUMMARY.share));
  return {
    ...headingOf(ranked, people),
    summary: quotesOf(inSummaryOrder(ranked), people, { sentences: SUMMARY.sentences, characters }),
    approach: approachOf(ranked, people),
    outcomes: outcomesOf(turns, sentences, people),
  };
}

const ADVICE = pattern('i')`
  \b(?:you (?:should|could|can|might)|i(?:'d| would) (?:suggest|recommend|advise|try)|i (?:suggest|recommend|advise)
  |try (?!to\b)\w+ing|why don't you|maybe you|make sure|start with|the (?:answer|solution|trick|fix) is)\b
`;

/** The clause that answers the question: the best of the assistant, or somebody else's advice. */
function approachOf(ranked: readonly RankedSentence[], people: Participants): string {
  if (!people.english) return '';
  const opening = ranked.some(isPerson) ? openingOf(ranked) : -1;
  const worth = ({ text, score }: RankedSentence) => score * (ADVICE.test(text) ? 1.3 : 1);
  const [answer] = ranked
    .filter((sentence) => {
      const { text, turn } = sentence;
      if (text.endsWith('?')) return false;
      return isPerson(sentence) ? !people.assisted && ADVICE.test(text) : turn > opening;
    })
    .sort((a, b) => worth(b) - worth(a));
  if (answer === undefined) return '';
  const clause = shorten(spokenWords(answer, people), APPROACH, []) ?? '';
  return clause.split(' ').length < 3 ? '' : clause.replace(/[.!]$/, '');
}
