import { describe, expect, it } from 'vitest';
import { boundaryFeatures } from '../../../src/domain/segments/boundary-features.ts';
import { changePoints } from '../../../src/domain/segments/change-points.ts';
import {
  blockSums,
  causalZScores,
  depths,
  zScores,
} from '../../../src/domain/segments/gap-statistics.ts';
import { cuesOf } from '../../../src/language/en/boundary-cues.ts';

const unit = (angle: number) => Float32Array.from([Math.cos(angle), Math.sin(angle)]);

describe('statistics of gaps', () => {
  it('z-scores are shrunk if there are few gaps', () => {
    expect(zScores([1, 3])).toEqual([-2 / 6, 2 / 6]);
    expect(zScores([2, 2, 2])).toEqual([0, 0, 0]);
  });

  it('causal z-scores use earlier values only', () => {
    expect(causalZScores([1, 1, 1, 2]).slice(0, 3)).toEqual([0, 0, 0]);
    expect(causalZScores([1, 3, 4])[2]).toBeCloseTo((4 - 2) / 1 / 3);
  });

  it('the depth of a dip is measured from the peaks on both sides', () => {
    expect(depths([0.9, 0.2, 0.6, 0.5])).toEqual([0, expect.closeTo(1.1), 0, expect.closeTo(0.1)]);
  });

  it('blockSums sums blocks of a matrix', () => {
    const sum = blockSums(3, (row, column) => row * 3 + column);
    expect(sum(0, 3, 0, 3)).toBe(36);
    expect(sum(1, 3, 0, 2)).toBe(3 + 4 + 6 + 7);
  });
});

describe('change points', () => {
  it('change points lie where the similarity changes', () => {
    const side = (turn: number) => (turn < 4 ? 1 : -1);
    const odds = changePoints(
      { turns: 9, vectors: (a, b) => side(a) * side(b), words: () => 0, weight: () => 1 },
      { words: 0, coherence: 2, topic: 3, short: 0 },
    );
    expect(odds.indexOf(Math.max(...odds))).toBe(3);
    expect(odds.every(Number.isFinite)).toBe(true);
  });
});

describe('cues', () => {
  it.each([
    { text: 'Could you find me a vet in Porto?', cues: ['request', 'opensRequest', 'asks'] },
    { text: 'You’re welcome, anything else?', cues: ['welcome', 'anythingElse'] },
    { text: 'It is on the shelf', cues: ['opensPronoun', 'pronoun'] },
    { text: 'By the way, my sister called', cues: ['shifts', 'me'] },
    { text: 'Sim, claro', cues: [] },
  ] as const)('the cues of "$text" are found', ({ text, cues }) => {
    const found = Object.entries(cuesOf(text)).flatMap(([cue, is]) => (is === 1 ? [cue] : []));
    for (const cue of cues) expect(found).toContain(cue);
    if (cues.length === 0) expect(found).toEqual([]);
  });
});

describe('features', () => {
  const texts = ['hello', 'the cat sleeps', 'the cat eats', 'buy a train ticket', 'which train?'];
  const vectors = [0.1, 0.2, 0.25, 1.4, 1.5].map(unit);

  it('every feature has a finite value for every gap, with and without vectors', () => {
    for (const own of [vectors, null]) {
      const { gaps, values } = boundaryFeatures(texts, own);
      expect(gaps).toBe(4);
      for (const [name, perGap] of values) {
        expect(perGap, name).toHaveLength(4);
        expect(perGap.every(Number.isFinite), name).toBe(true);
      }
    }
  });

  it.each([0, 1])('there are no features for %i turns', (count) => {
    const { gaps, values } = boundaryFeatures(texts.slice(0, count), vectors.slice(0, count));
    expect({ gaps, features: values.size }).toEqual({ gaps: 0, features: 0 });
  });

  it('features stay finite if all turns are the same', () => {
    const { values } = boundaryFeatures(['ok', 'ok', 'ok'], [unit(1), unit(1), unit(1)]);
    for (const [name, perGap] of values) expect(perGap.every(Number.isFinite), name).toBe(true);
  });

  it('features do not depend on the range of a model’s cosines', () => {
    const raised = vectors.map((v) =>
      Float32Array.from([...v].map((c) => c / 2).concat(Math.sqrt(0.75))),
    );
    const [own, other] = [boundaryFeatures(texts, vectors), boundaryFeatures(texts, raised)];
    for (const name of ['dip1', 'contrast', 'bestBack', 'changes', 'bridge']) {
      const values = other.values.get(name) ?? [];
      own.values.get(name)?.forEach((value, gap) => {
        expect(values[gap], name).toBeCloseTo(value, 4);
      });
    }
  });
});
