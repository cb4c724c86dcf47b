/** A logistic regression: the probability is 1 / (1 + e^-(intercept + Σ weight × feature)). */
export type Logistic = { intercept: number; weights: readonly number[] };

/** A row to fit on: features, outcome and weight. */
export type Example = { features: readonly number[]; outcome: 0 | 1; weight: number };

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

export const logitOf = ({ intercept, weights }: Logistic, features: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (features[i] ?? 0), intercept);

/** Solves a symmetric positive definite system by Gauss-Jordan elimination. Overwrites both arguments. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  for (let i = 0; i < size; i++) {
    const row = matrix[i] as number[];
    const pivot = row[i] as number;
    for (let j = 0; j < size; j++) {
      if (j === i) continue;
      const other = matrix[j] as number[];
      const factor = (other[i] as number) / pivot;
      for (let k = i; k < size; k++) other[k] = (other[k] as number) - factor * (row[k] as number);
      right[j] = (right[j] as number) - factor * (right[i] as number);
    }
  }
  return right.map((value, i) => value / ((matrix[i] as number[])[i] as number));
}

/** The weighted mean and standard deviation of each feature. */
function scales(examples: readonly Example[]): { mean: number; deviation: number }[] {
  const whole = examples.reduce((sum, { weight }) => sum + weight, 0);
  return (examples[0]?.features ?? []).map((_, i) => {
    const moment = (of: (value: number) => number) =>
      examples.reduce((sum, { features, weight }) => sum + weight * of(features[i] ?? 0), 0) /
      whole;
    const mean = moment((value) => value);
    return { mean, deviation: Math.sqrt(moment((value) => (value - mean) ** 2)) || 1 };
  });
}

const ROUNDS = 40;

/**
 * Fits by Newton's method on features scaled to unit variance, with an L2 penalty on the weights (`penalty` per unit of
 * example weight). The result applies to unscaled features.
 */
export function fitLogistic(examples: readonly Example[], penalty = 1e-3): Logistic {
  const scale = scales(examples);
  const whole = examples.reduce((sum, { weight }) => sum + weight, 0);
  const rows = examples.map(({ features }) => [
    1,
    ...scale.map(({ mean, deviation }, i) => ((features[i] ?? 0) - mean) / deviation),
  ]);
  const size = scale.length + 1;
  const beta: number[] = Array(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const hessian = beta.map((_, i) =>
      beta.map((_other, j) => (i === j && i > 0 ? penalty * whole : 0)),
    );
    const gradient = beta.map((value, i) => (i > 0 ? -penalty * whole * value : 0));
    for (const [r, { outcome, weight }] of examples.entries()) {
      addRow(rows[r] as number[], { outcome, weight }, beta, hessian, gradient);
    }
    const step = solve(hessian, gradient);
    for (let i = 0; i < size; i++) beta[i] = (beta[i] ?? 0) + (step[i] ?? 0);
  }
  const weights = scale.map(({ deviation }, i) => (beta[i + 1] ?? 0) / deviation);
  const shift = scale.reduce((sum, { mean }, i) => sum + mean * (weights[i] ?? 0), 0);
  return { intercept: (beta[0] ?? 0) - shift, weights };
}

function addRow(
  row: readonly number[],
  { outcome, weight }: Pick<Example, 'outcome' | 'weight'>,
  beta: readonly number[],
  hessian: number[][],
  gradient: number[],
): void {
  const chance = sigmoid(row.reduce((sum, value, i) => sum + value * (beta[i] ?? 0), 0));
  const spread = weight * chance * (1 - chance);
  for (const [i, value] of row.entries()) {
    gradient[i] = (gradient[i] ?? 0) + weight * (outcome - chance) * value;
    const line = hessian[i] as number[];
    for (const [j, other] of row.entries()) line[j] = (line[j] ?? 0) + spread * value * other;
  }
}
