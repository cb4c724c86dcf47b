import type { Chat } from './chat-file.ts';
import type { ActiveFact } from './read-memory.ts';

type Label = Chat['facts'][number];

/** What became of a person's labelled facts, and of what was learned beside them. */
export type FactScore = {
  found: Label[];
  missed: Label[];
  right: ActiveFact[];
  /** Match an expression that no fact may match, with that expression. */
  wrong: { fact: ActiveFact; expression: RegExp }[];
  /** Neither right nor wrong: nothing is labelled of them. */
  superfluous: ActiveFact[];
};

const textOf = ({ statement, value }: ActiveFact): string =>
  `${statement} ${value}`.replace(/\s+/g, ' ');

/**
 * A fact is right if its statement or value matches every expression of a labelled fact that holds
 * at the end. Several labels may be found in one fact, and several facts may tell one label.
 */
export function scoreFacts(
  { facts: labels, notFacts }: Pick<Chat, 'facts' | 'notFacts'>,
  facts: readonly ActiveFact[],
): FactScore {
  const holding = labels.filter(({ until }) => until === null);
  const tells = (fact: ActiveFact, { value }: Label) =>
    value.every((expression) => expression.test(textOf(fact)));
  const right = facts.filter((fact) => holding.some((label) => tells(fact, label)));
  const wrong = facts.flatMap((fact) => {
    const expression = notFacts.find((one) => one.test(textOf(fact)));
    return expression ? [{ fact, expression }] : [];
  });
  return {
    found: holding.filter((label) => facts.some((fact) => tells(fact, label))),
    missed: holding.filter((label) => !facts.some((fact) => tells(fact, label))),
    right,
    wrong,
    superfluous: facts.filter(
      (fact) => !right.includes(fact) && !wrong.some((one) => one.fact === fact),
    ),
  };
}
