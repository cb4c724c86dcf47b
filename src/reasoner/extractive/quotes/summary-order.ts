import { isPerson, openingOf, type RankedSentence } from '../text/rank-sentences.ts';
import { outcomeIn } from './outcomes.ts';

/** The factor by which a sentence's score falls for each sentence already taken from its turn. */
const SAME_TURN = 0.7;

/**
 * Orders ranked sentences for a summary: the best of the opening turn, then the best outcome of a later turn, then the
 * others, of which sentences from turns without a chosen one come earlier.
 */
export function inSummaryOrder(ranked: readonly RankedSentence[]): RankedSentence[] {
  const left = new Set(ranked);
  const taken: RankedSentence[] = [];
  const take = (sentence: RankedSentence | undefined) => {
    if (sentence && left.delete(sentence)) taken.push(sentence);
  };
  const people = ranked.filter(isPerson);
  const opening = openingOf(ranked);
  take(people.find(({ turn }) => turn === opening));
  take(people.findLast(({ text, turn }) => turn !== opening && outcomeIn(text) !== null));
  while (left.size > 0) {
    const worth = ({ score, turn }: RankedSentence) =>
      score * SAME_TURN ** taken.filter((other) => other.turn === turn).length;
    take([...left].reduce((best, one) => (worth(one) > worth(best) ? one : best)));
  }
  return taken;
}
