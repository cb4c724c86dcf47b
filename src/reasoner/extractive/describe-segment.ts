import { asksIn } from '../../language/en/narrative.ts';
import { pattern } from '../../language/text/pattern.ts';
import type { StepArguments, StepOutput, Utterance } from '../reasoner.ts';
import { outcomeIn, outcomesOf } from './quotes/outcomes.ts';
import { type Participants, participantsOf, sentenceWorth } from './quotes/participants.ts';
import { quotesOf, spokenWords } from './quotes/quotes.ts';
import { inSummaryOrder } from './quotes/summary-order.ts';
import { headingOf } from './quotes/title.ts';
import { corrected } from './text/corrections.ts';
import { detailsOf } from './text/details.ts';
import {
  isPerson,
  MOST_SENTENCES,
  openingOf,
  type RankedSentence,
  rankSentences,
} from './text/rank-sentences.ts';
import { type Sentence, sentencesOf } from './text/sentences.ts';
import { shorten } from './text/shorten.ts';
import { stripOpeners } from './text/strip.ts';
import { taggedWordsOf } from './text/tagger.ts';

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
    approach: approachOf(ranked, turns, people),
    outcomes: outcomesOf(turns, sentences, people),
  };
}

const ADVICE = pattern('i')`
  \b(?:you (?:should|could|can|might)|i(?:'d| would) (?:suggest|recommend|advise|try)|i (?:suggest|recommend|advise)
  |try (?!to\b)\w+ing|why don't you|maybe you|make sure|start with|the (?:answer|solution|trick|fix) is)\b
`;

/** What an assistant does, did or found out, and conditions. */
const COMMITS = pattern('i')`
  \bi(?:'ll| will|'ve| have| can|'m going to| could) (?!bet|admit|imagine|see\b|understand|hear|tell|only|say|be\b|miss\b
  |no\b|never)|\bi (?:found|added|set|booked|moved|saved|noted|wrote|changed|checked|put|looked|ordered|sent)\b|^(?:only )?if (?!you ask)
`;

/** The clause that answers the question: the best of the assistant, or somebody else's advice. */
function approachOf(
  ranked: readonly RankedSentence[],
  turns: readonly Utterance[],
  people: Participants,
): string {
  if (!people.english) return '';
  const opening = ranked.some(isPerson) ? openingOf(ranked) : -1;
  const worth = ({ text, score }: RankedSentence) => score * (ADVICE.test(text) ? 1.3 : 1);
  return (
    ranked
      .filter((sentence) => {
        const { text, turn } = sentence;
        if (text.endsWith('?')) return false;
        if (isPerson(sentence)) return !people.assisted && ADVICE.test(text);
        return turn > opening && (helps(text) || informs(sentence, turns));
      })
      .sort((a, b) => worth(b) - worth(a))
      .map((answer) => shorten(spokenWords(answer, people), APPROACH, []) ?? '')
      .find((clause) => clause.split(' ').length >= 3)
      ?.replace(/[.!]$/, '') ?? ''
  );
}

/** Whether a sentence of an assistant helps by itself, rather than react: with advice, an order or what it did. */
function helps(text: string): boolean {
  if (ADVICE.test(text) || COMMITS.test(text) || outcomeIn(text) !== null) return true;
  const [first] = taggedWordsOf(stripOpeners(text));
  return first !== undefined && ['Imperative', 'Infinitive'].some((tag) => first.tags.has(tag));
}

/** Whether a person has asked before this turn, or the sentence tells a name or figure that no person has said before. */
function informs({ text, turn }: Sentence, turns: readonly Utterance[]): boolean {
  const said = turns
    .slice(0, turn)
    .filter(({ role }) => role === 'USER' || role === 'OTHER')
    .map((before) => before.text);
  const all = said.join(' ').toLowerCase();
  return said.some(asksIn) || detailsOf(text).some((detail) => !all.includes(detail.toLowerCase()));
}
