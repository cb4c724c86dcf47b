const ROUNDS = 12;
const CLOSE = 1e-5;

/**
 * Fits a logistic regression by Newton's method, with an L2 penalty on all weights except the first, whose column is the
 * intercept. For tens of thousands of rows: it computes half of the Hessian, skips zeros, and ends when no weight moves.
 */
export function fitSparse(
  rows: readonly Float64Array[],
  outcomes: readonly number[],
  counts: readonly number[],
  penalty: number,
): number[] {
  const size = rows[0]?.length ?? 0;
  const beta = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round++) {
    const hessian = Array.from({ length: size }, (_, at) => {
      const line = new Float64Array(size);
      line[at] = at === 0 ? 1e-6 : penalty;
      return line;
    });
    const gradient = beta.map((weight, at) => (at === 0 ? 0 : penalty * weight));
    for (const [at, row] of rows.entries()) {
      addRow(row, outcomes[at] ?? 0, counts[at] ?? 1, beta, hessian, gradient);
    }
    const step = solve(hessian, gradient);
    let moved = 0;
    for (let at = 0; at < size; at++) {
      beta[at] = (beta[at] ?? 0) - (step[at] ?? 0);
      moved = Math.max(moved, Math.abs(step[at] ?? 0));
    }
    if (moved < CLOSE) break;
  }
  return [...beta];
}

function addRow(
  row: Float64Array,
  outcome: number,
  count: number,
  beta: Float64Array,
  hessian: readonly Float64Array[],
  gradient: Float64Array,
): void {
  let logit = 0;
  const used: number[] = [];
  for (let at = 0; at < row.length; at++) {
    if (row[at] === 0) continue;
    used.push(at);
    logit += (row[at] as number) * (beta[at] as number);
  }
  const chance = 1 / (1 + Math.exp(-logit));
  const spread = count * Math.max(chance * (1 - chance), 1e-6);
  for (let place = 0; place < used.length; place++) {
    const at = used[place] as number;
    const value = row[at] as number;
    gradient[at] = (gradient[at] as number) + count * (chance - outcome) * value;
    const line = hessian[at] as Float64Array;
    for (let other = 0; other <= place; other++) {
      const column = used[other] as number;
      line[column] = (line[column] as number) + spread * value * (row[column] as number);
    }
  }
}

/** Solves a symmetric positive definite system, given by its lower half, by Cholesky decomposition. Overwrites `lower`. */
function solve(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  for (const [row, line] of lower.entries()) {
    for (let column = 0; column <= row; column++) {
      const other = lower[column] as Float64Array;
      const left = (line[column] as number) - dot(line, other, column);
      line[column] = row === column ? Math.sqrt(Math.max(left, 1e-12)) : left / at(other, column);
    }
  }
  const half = new Float64Array(size);
  for (const [row, line] of lower.entries()) {
    half[row] = ((right[row] as number) - dot(line, half, row)) / at(line, row);
  }
  for (let row = size - 1; row >= 0; row--) {
    let left = half[row] as number;
    for (let k = row + 1; k < size; k++) left -= at(lower[k], row) * (half[k] as number);
    half[row] = left / at(lower[row], row);
  }
  return half;
}

const at = (line: Float64Array | undefined, place: number): number => line?.[place] ?? 0;

/** Returns the dot product of the first `count` elements. */
function dot(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += (a[k] as number) * (b[k] as number);
  return sum;
}
