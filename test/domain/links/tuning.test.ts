import { describe, expect, it } from 'vitest';
import { NEUTRAL_WEIGHTS } from '../../../src/domain/links/linking.ts';
import {
  disagreementsOf,
  metricsOf,
  missedSignals,
  type RatedDecision,
  ratesByThreshold,
} from '../../../src/domain/links/linking-metrics.ts';
import { metricsUnder, tuneLinking } from '../../../src/domain/links/tuning.ts';
import { seededRandom } from '../../../tools/support/random.ts';

const setting = { threshold: 0.7, weights: NEUTRAL_WEIGHTS, hints: [] };

const rated = (score: number, belongs: boolean, more: Partial<RatedDecision> = {}) => ({
  userId: 'ann',
  parts: { keyword: score, entity: score, topic: score, recency: score },
  reasonerRelated: belongs,
  reasonerConfidence: 0.5,
  keySignals: [],
  belongs,
  ...more,
});

/** Scores of what belongs together lie around one value, others around another. */
function sample(count: number, [yes, no]: [number, number], seed = 1): RatedDecision[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const belongs = at % 2 === 0;
    const score = (belongs ? yes : no) + (random() - 0.5) * 0.3;
    return rated(Math.min(1, Math.max(0, score)), belongs, { reasonerRelated: false });
  });
}

it('metricsOf computes accuracy, precision, recall, F1 and error rates', () => {
  const judged = [
    [true, true],
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ].map(([linked = false, belongs = false]) => ({ linked, belongs }));
  expect(metricsOf(judged)).toEqual({
    accuracy: 0.6,
    precision: 2 / 3,
    recall: 2 / 3,
    f1: 2 / 3,
    falsePositiveRate: 0.5,
    falseNegativeRate: 1 / 3,
  });
  expect(metricsOf([]).f1).toBe(0);
});

it('disagreementsOf counts who is right where algorithm and reasoner differ', () => {
  const decisions = [
    rated(0.9, true, { reasonerRelated: false }),
    rated(0.9, false, { reasonerRelated: false }),
    rated(0.2, true, { reasonerRelated: true }),
    rated(0.9, true, { reasonerRelated: true }),
  ];
  expect(disagreementsOf(decisions, setting)).toEqual({
    count: 3,
    algorithmRight: 1,
    reasonerRight: 2,
  });
});

it('ratesByThreshold reports false positives and negatives from 0.60 to 0.85', () => {
  const rates = ratesByThreshold([rated(0.72, false), rated(0.77, true)], NEUTRAL_WEIGHTS);
  expect(rates.map(({ threshold, ...own }) => [threshold, ...Object.values(own)])).toEqual([
    [0.6, 1, 0],
    [0.65, 1, 0],
    [0.7, 1, 0],
    [0.75, 0, 0],
    [0.8, 0, 1],
    [0.85, 0, 1],
  ]);
});

it('missedSignals names signals that the reasoner missed more often than where it was right', () => {
  const entity = { keyword: 0.1, entity: 0.9, topic: 0.1, recency: 0.9 };
  const nothing = { keyword: 0.1, entity: null, topic: 0.1, recency: 0.9 };
  const decisions = [
    ...Array(4).fill(rated(0, true, { parts: entity, reasonerRelated: false })),
    ...Array(4).fill(rated(0, false, { parts: nothing, reasonerRelated: false })),
  ];
  expect(missedSignals(decisions)).toEqual(['entity']);
  const named = decisions.map((decision) => ({ ...decision, keySignals: ['entity'] }));
  expect(missedSignals(named)).toEqual([]);
});

describe('tuning', () => {
  it('tuning finds a better threshold, judged on held-out decisions', () => {
    const decisions = sample(200, [0.6, 0.3]);
    const tuned = tuneLinking(decisions, { ...setting, threshold: 0.95 });
    expect(tuned.kept).toBe(true);
    expect(tuned.next.threshold).toBeLessThan(0.6);
    expect(tuned.after.f1).toBeGreaterThan(tuned.before.f1);
    const others = sample(200, [0.6, 0.3], 2);
    expect(metricsUnder(others, tuned.next).f1).toBeGreaterThan(0.9);
    expect(tuned.reason).toMatch(/^F1 0\.\d+ → 0\.\d+ on held-out decisions; false positives /);
  });

  it('a setting that several users share is changed only if it is better without any one of them', () => {
    const shared = true;
    const high = { ...setting, threshold: 0.95 };
    const ofOne = sample(200, [0.6, 0.3]);
    const own = tuneLinking(ofOne, high);
    const alone = tuneLinking(ofOne, high, shared);
    expect([alone.kept, alone.next, alone.after]).toEqual([false, high, alone.before]);
    expect(alone.reason).toContain('without the decisions of one user');
    const some = ofOne.map((decision, at) => ({ ...decision, userId: `user ${(at >> 1) % 3}` }));
    expect(tuneLinking(some, high, shared)).toMatchObject({ kept: true, next: own.next });
  });

  it('hints that several users share come from signals that were missed without any one of them', () => {
    const entity = { keyword: 0.1, entity: 0.9, topic: 0.1, recency: 0.9 };
    const missed = Array(4).fill(rated(0, true, { parts: entity, reasonerRelated: false }));
    const seen = Array(4).fill(rated(0, false, { reasonerRelated: false }));
    const of = (userId: string) => [...missed, ...seen].map((one) => ({ ...one, userId }));
    const hintsOf = (users: readonly string[]) =>
      tuneLinking(users.flatMap(of), setting, true).next.hints;
    expect(hintsOf(['ann'])).toEqual([]);
    expect(hintsOf(['ann', 'bob'])).toContain('entity');
  });

  it('tuning gives a more informative part more weight', () => {
    const random = seededRandom(3);
    const decisions = sample(300, [0.5, 0.5]).map((decision) => ({
      ...decision,
      parts: { ...decision.parts, topic: (decision.belongs ? 0.8 : 0.2) + 0.1 * random() },
    }));
    const { kept, next } = tuneLinking(decisions, setting);
    expect(kept).toBe(true);
    expect(next.weights.topic).toBeGreaterThan(NEUTRAL_WEIGHTS.topic);
    expect(Object.values(next.weights).reduce((a, b) => a + b)).toBeCloseTo(1, 2);
  });

  it('tuning keeps a setting that cannot be improved', () => {
    const clear = Array.from({ length: 100 }, (_, at) => rated(at % 2 ? 0.95 : 0.1, at % 2 === 1));
    const tuned = tuneLinking(clear, setting);
    expect([tuned.kept, tuned.next]).toEqual([false, setting]);
    expect(tuned.reason).toMatch(/^Nothing that was tried does better/);
  });

  it('tuning ignores noise and too few decisions', () => {
    const few = tuneLinking(sample(19, [0.6, 0.3]), setting);
    expect([few.kept, few.reason]).toEqual([false, 'Only 19 decisions are rated; 20 are needed.']);
    const better = Array.from({ length: 20 }, (_, seed) => {
      const random = seededRandom(seed + 10);
      const noise = Array.from({ length: 200 }, () => rated(random(), random() < 0.5));
      const { next } = tuneLinking(noise.slice(0, 100), setting);
      const rest = noise.slice(100);
      return metricsUnder(rest, next).f1 - metricsUnder(rest, setting).f1;
    });
    expect(better.reduce((a, b) => a + b) / better.length).toBeGreaterThan(-0.03);
  });
});
