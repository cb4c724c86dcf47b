import { describe, expect, it } from 'vitest';
import { fitLogistic, logitOf, sigmoid } from '../../../src/domain/core/logistic.ts';

describe('fitLogistic', () => {
  it('fitLogistic finds the odds of two groups', () => {
    const group = (feature: number, positives: number, negatives: number) => [
      { features: [feature], outcome: 1 as const, weight: positives },
      { features: [feature], outcome: 0 as const, weight: negatives },
    ];
    const model = fitLogistic([...group(0, 1, 4), ...group(1, 3, 1)], 0);
    expect(sigmoid(logitOf(model, [0]))).toBeCloseTo(0.2);
    expect(sigmoid(logitOf(model, [1]))).toBeCloseTo(0.75);
  });

  it('fitLogistic stays finite for separable groups and for a constant feature', () => {
    const model = fitLogistic([
      { features: [0, 5], outcome: 0, weight: 1 },
      { features: [1, 5], outcome: 1, weight: 1 },
    ]);
    expect(sigmoid(logitOf(model, [1, 5]))).toBeGreaterThan(0.9);
    expect(model.weights.every(Number.isFinite)).toBe(true);
  });
});
