/** Parses an array of numbers as PostgreSQL prints it. pg's own parser takes ten times as long. */
export const parseArray = (array: string | null | undefined): (number | null)[] =>
  array && array !== '{}'
    ? array
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : Number(item)))
    : [];

/** The same without nulls. */
export const parseNumbers = (array: string | null | undefined): number[] =>
  parseArray(array).filter((item) => item !== null);
