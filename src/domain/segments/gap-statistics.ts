/** A number for every gap between two turns; entry `i` is the gap before turn `i + 1`. */
export type PerGap = number[];

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** A prior number of gaps, which keeps short conversations from having extreme values. */
const PRIOR_GAPS = 4;
/** How reliable statistics over this many gaps are, 0-1. */
export const trust = (gaps: number): number => gaps / (gaps + PRIOR_GAPS);

/** The z-scores of values in the conversation, shrunk if there are few gaps. */
export function zScores(values: readonly number[]): PerGap {
  const mean = meanOf(values);
  const deviation = deviationOf(values);
  if (deviation < 1e-6) return values.map(() => 0);
  return values.map((value) => ((value - mean) / deviation) * trust(values.length));
}

/** The same relative to earlier values only. `floor` limits the score after an even start. */
export function causalZScores(values: readonly number[], floor = 0.05): PerGap {
  return values.map((value, index) => {
    const seen = values.slice(0, index);
    if (seen.length < 2) return 0;
    return ((value - meanOf(seen)) / Math.max(deviationOf(seen), floor)) * trust(seen.length);
  });
}

/** The depth of each value below the peaks on both sides (TextTiling, Hearst 1997). */
export function depths(values: readonly number[]): PerGap {
  return values.map((value, index) => {
    let [left, right] = [value, value];
    for (let at = index - 1; at >= 0 && (values[at] ?? 0) >= left; at--) left = values[at] ?? 0;
    for (let at = index + 1; at < values.length && (values[at] ?? 0) >= right; at++) {
      right = values[at] ?? 0;
    }
    return left + right - 2 * value;
  });
}

/** Sums over blocks of a matrix in constant time: `sum(a, b, c, d)` covers rows a … b-1 and columns c … d-1. */
export type BlockSums = (a: number, b: number, c: number, d: number) => number;

export function blockSums(size: number, cell: (row: number, column: number) => number): BlockSums {
  const width = size + 1;
  const table = new Float64Array(width * width);
  const at = (row: number, column: number) => table[row * width + column] ?? 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      table[(row + 1) * width + column + 1] =
        at(row, column + 1) + at(row + 1, column) - at(row, column) + cell(row, column);
    }
  }
  return (a, b, c, d) => at(b, d) - at(a, d) - at(b, c) + at(a, c);
}
