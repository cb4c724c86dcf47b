import type { Chat } from './chat-file.ts';
import type { ActiveFact } from './read-memory.ts';

type Label = Chat['facts'][number];

/** Which of a person's labelled facts were learned, and how right the learned facts are. */
export type FactScore = {
  found: Label[];
  missed: Label[];
  right: ActiveFact[];
  /** Facts that match an expression which no fact may match, with that expression. */
  wrong: { fact: ActiveFact; expression: RegExp }[];
  /** Facts that no label mentions, neither right nor wrong. */
  superfluous: ActiveFact[];
};

const textOf = ({ statement, value }: ActiveFact): string =>
  `${statement} ${value}`.replace(/\s+/g, ' ');

/**
 * A fact is right if its statement and value together match every expression of a labelled fact that holds at the end. One fact may
 * match several labels, and several facts may match one label.
 */
export function scoreFacts(
  { facts: labels, notFacts }: Pick<Chat, 'facts' | 'notFacts'>,
  facts: readonly ActiveFact[],
): FactScore {
  const holding = labels.filter(({ until }) => until === null);
  const matches = (fact: ActiveFact, { value }: Label) =>
    value.every((expression) => expression.test(textOf(fact)));
  const right = facts.filter((fact) => holding.some((label) => matches(fact, label)));
  const wrong = facts.flatMap((fact) => {
    const expression = notFacts.find((one) => one.test(textOf(fact)));
    return expression ? [{ fact, expression }] : [];
  });
  return {
    found: holding.filter((label) => facts.some((fact) => matches(fact, label))),
    missed: holding.filter((label) => !facts.some((fact) => matches(fact, label))),
    right,
    wrong,
    superfluous: facts.filter(
      (fact) => !right.includes(fact) && !wrong.some((one) => one.fact === fact),
    ),
  };
}
