/** A message names a thread by at least this many of its informative words, or by all if it has fewer. */
const NAMED_BY = 2;

/**
 * The threads that a message names by its words, those with most of them first: a thread must contain at least half of the
 * message's informative words, and at least two of them if it has more than one.
 * @param threads how many of those words each thread contains; the latest thread first
 * @param informative how many informative words the message has
 */
export function threadsNamedIn(
  threads: readonly { id: number; terms: number }[],
  informative: number,
): number[] {
  const least = Math.max(1, Math.min(NAMED_BY, informative), informative / 2);
  return threads
    .filter(({ terms }) => terms >= least)
    .toSorted((a, b) => b.terms - a.terms)
    .map(({ id }) => id);
}
