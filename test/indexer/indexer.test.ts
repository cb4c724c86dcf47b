import { afterAll, expect, it } from 'vitest';
import { rankingCuesOf } from '../../src/domain/ranking/ranking-cues.ts';
import { createIndexer } from '../../src/indexer/indexer.ts';
import { termsOf } from '../../src/language/text/terms.ts';

const TEXTS = [
  'Rita hung the red lantern over the door.',
  '',
  'The lantern, the lantern! Who took the lantern?',
  'I live in Porto and I love sailing.',
];

const indexer = createIndexer();
afterAll(() => indexer[Symbol.asyncDispose]());

it('the indexer returns the terms of each text with their frequencies, in the order of the texts', async () => {
  const terms = await indexer.terms(TEXTS);
  expect(terms).toEqual(TEXTS.map((text) => [...termsOf(text)]));
  expect(terms[1]).toEqual([]);
  expect(new Map(terms[2]).get('lantern')).toBe(3);
});

it('the indexer returns the cues of each text for the ranking, in the order of the texts', async () => {
  const cues = await indexer.cues(TEXTS);
  expect(cues).toEqual(TEXTS.map(rankingCuesOf));
  expect(new Set(cues).size).toBeGreaterThan(1);
});

it('the indexer has no term and no cue for no text', async () => {
  expect([await indexer.terms([]), await indexer.cues([])]).toEqual([[], []]);
});
