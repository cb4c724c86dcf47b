/** The most rows that a list is narrowed to by what its index cannot find, such as words or retrievability: the latest. */
export const MOST_LISTED = 10_000;
