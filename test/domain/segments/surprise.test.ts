import { describe, expect, it } from 'vitest';
import {
  eventModel,
  rawSurprise,
  surpriseOf,
  wordSurprise,
} from '../../../src/domain/segments/surprise.ts';

const x = Float32Array.from([1, 0]);
const y = Float32Array.from([0, 1]);

describe('the event model', () => {
  it('the event model is a decaying mean in which the last turn weighs most', () => {
    const model = eventModel([x, x, y]);
    expect(model[0]).toBeCloseTo(0.7 * (0.7 + 1));
    expect(model[1]).toBeCloseTo(1);
  });
});

describe('raw surprise', () => {
  it.each([
    { name: 'the same again', before: [x, x], opening: [x], raw: 0 },
    { name: 'something else', before: [x, x], opening: [y], raw: 1 },
    { name: 'the opposite', before: [x], opening: [Float32Array.from([-1, 0])], raw: 2 },
    { name: 'half of the opening', before: [x], opening: [x, y], raw: 0.5 },
  ])('the raw surprise is right for $name', ({ before, opening, raw }) => {
    expect(rawSurprise(before, opening)).toBeCloseTo(raw);
  });

  it('raw surprise needs turns before and after', () => {
    expect(() => rawSurprise([], [x])).toThrow(RangeError);
    expect(() => rawSurprise([x], [])).toThrow(RangeError);
  });
});

describe('the scale', () => {
  const narrow = { typical: 0.1, high: 0.2 };
  const wide = { typical: 0.5, high: 0.8 };
  it.each([
    { name: 'as usual', raws: [0.1, 0.5], surprise: 0.3 },
    { name: 'one in twenty', raws: [0.2, 0.8], surprise: 0.7 },
    { name: 'between', raws: [0.15, 0.65], surprise: 0.5 },
    { name: 'far beyond', raws: [0.9, 1.9], surprise: 1 },
    { name: 'the same again', raws: [0, 0], surprise: 0 },
  ])(
    'the scale of surprise means the same with every model: $name',
    ({ raws: [a = 0, b = 0], surprise }) => {
      expect(surpriseOf(a, narrow)).toBeCloseTo(surprise);
      expect(surpriseOf(b, wide)).toBeCloseTo(surprise);
    },
  );

  it('the scale also works for a model without any spread', () => {
    expect(surpriseOf(0.4, { typical: 0.4, high: 0.4 })).toBeCloseTo(0.3);
  });
});

describe('surprise by words', () => {
  it('surprise by words grows with new terms and never makes a key moment', () => {
    const before = ['The boiler leaks water again'];
    expect(wordSurprise(before, ['the boiler leaks'])).toBe(0);
    expect(wordSurprise(before, ['grandma won the lottery'])).toBeCloseTo(0.65);
    expect(wordSurprise(before, ['oh well'])).toBeLessThan(0.7);
  });
});
