import type { Chat } from './chat-file.ts';
import type { Memory } from './read-memory.ts';

type Pair = readonly [string, string];

/** Pairs of conversations, by their label and by whether the server linked them. */
export type LinkScore = {
  right: Pair[];
  missed: Pair[];
  /** Linked, but labelled as not belonging together. */
  wrong: Pair[];
  /** Linked, but without a label. */
  unlabelled: Pair[];
};

/**
 * A pair of conversations counts as linked if a link joins threads of both. A pair that only a third conversation connects,
 * in a cross-thread episode, does not: labels are not transitive. Nor are they complete: a pair without a label counts
 * neither as right nor as wrong.
 */
export function scoreLinks(
  { conversations, links, notLinks }: Pick<Chat, 'conversations' | 'links' | 'notLinks'>,
  { threadOf, linked }: Pick<Memory, 'threadOf' | 'linked'>,
): LinkScore {
  const threads = conversations.map(({ id, turns }) => ({
    id,
    threads: new Set(turns.map(({ n }) => threadOf.get(n))),
  }));
  const predicted = threads.flatMap((one, at) =>
    threads
      .slice(at + 1)
      .filter((other) => linked.some((pair) => joins(pair, one.threads, other.threads)))
      .map((other): Pair => [one.id, other.id]),
  );
  const isIn = (pairs: readonly Pair[], pair: Pair) => pairs.some((one) => isSame(one, pair));
  return {
    right: links.filter((pair) => isIn(predicted, pair)),
    missed: links.filter((pair) => !isIn(predicted, pair)),
    wrong: predicted.filter((pair) => isIn(notLinks, pair)),
    unlabelled: predicted.filter((pair) => !isIn(notLinks, pair) && !isIn(links, pair)),
  };
}

type Threads = ReadonlySet<string | undefined>;

const joins = ([a, b]: Pair, some: Threads, others: Threads): boolean =>
  (some.has(a) && others.has(b)) || (some.has(b) && others.has(a));

const isSame = ([a, b]: Pair, [c, d]: Pair): boolean =>
  (a === c && b === d) || (a === d && b === c);
