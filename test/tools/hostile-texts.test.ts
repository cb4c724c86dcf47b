import { expect, it } from 'vitest';
import { turnInputSchema } from '../../src/domain/turns/turn.ts';
import { OPERATIONS } from '../../tools/faults/hostile/operations/operation-phases.ts';
import { DELIVERY_KINDS, planDeliveries } from '../../tools/faults/hostile/texts/deliveries.ts';
import { hostileText, LONGEST, TEXT_KINDS } from '../../tools/faults/hostile/texts/texts.ts';
import { ruleWords } from '../../tools/faults/hostile/texts/vocabulary.ts';
import { seededRandom } from '../../tools/support/random.ts';

it('the vocabulary contains the words of literal and built expressions, with their places', () => {
  const all = ruleWords();
  expect(all.length).toBeGreaterThan(500);
  const wordsOf = (path: string) =>
    all.filter(({ place }) => place.startsWith(`${path}:`)).flatMap(({ words }) => words);
  expect(wordsOf('language/en/recall-intent.ts')).toEqual(
    expect.arrayContaining(['remember', 'recall']),
  );
  expect(wordsOf('reasoner/extractive/facts/text/draft.ts')).toContain('unfortunately');
});

it.each(TEXT_KINDS)('texts of the kind %s have the requested length and can be stored', (kind) => {
  const random = seededRandom(7);
  for (const length of [200, 2_000, LONGEST]) {
    const text = hostileText(random, kind, length);
    expect(text.length).toBeLessThanOrEqual(length);
    expect(text.length).toBeGreaterThan(length / 2);
    expect(turnInputSchema.safeParse({ text }).success).toBe(true);
  }
});

it('planned requests include all kinds, are the same for the same seed and fit the body limit', () => {
  const plan = () =>
    DELIVERY_KINDS.flatMap((kind) => planDeliveries(5, DELIVERY_KINDS.length, kind));
  const all = plan();
  expect(all.map(({ kind }) => kind)).toEqual(DELIVERY_KINDS);
  const sizes = all.map(({ body }) => Buffer.byteLength(body));
  expect(Math.max(...sizes)).toBeLessThan(4_000_000);
  expect(Math.max(...sizes)).toBeGreaterThan(3_500_000);
  expect(plan().map(({ body }) => body)).toEqual(all.map(({ body }) => body));
}, 120_000);

it('there are at least 40 hostile operations', () => {
  expect(Object.keys(OPERATIONS).length).toBeGreaterThanOrEqual(40);
});
