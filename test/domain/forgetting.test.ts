import { expect, it } from 'vitest';
import { firstState, retrievability } from '../../src/domain/forgetting.ts';

const AT = new Date('2026-03-02T12:00:00Z');
const after = (days: number) => new Date(AT.getTime() + days * 86_400_000);

it('surprise makes a memory last up to half as long again', () => {
  const plain = firstState(AT, 0);
  expect(plain.stability).toBeGreaterThan(1);
  expect(firstState(AT, 1).stability).toBeCloseTo(plain.stability * 1.5);
  expect(firstState(AT, 0.6).stability).toBeCloseTo(plain.stability * 1.3);
  expect(firstState(AT, 1).difficulty).toBe(plain.difficulty);
});

it('a memory fades: 90 % after its stability, slower if it was surprising', () => {
  const plain = firstState(AT, 0);
  expect(retrievability(plain, AT, AT)).toBe(1);
  expect(retrievability(plain, AT, after(plain.stability))).toBeCloseTo(0.9, 2);
  expect(retrievability(plain, AT, after(100))).toBeLessThan(retrievability(plain, AT, after(10)));
  expect(retrievability(firstState(AT, 1), AT, after(30))).toBeGreaterThan(
    retrievability(plain, AT, after(30)),
  );
});

it('asked for a time before it was made, it has not faded', () => {
  expect(retrievability(firstState(AT, 0), AT, after(-5))).toBe(1);
});
