import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { taggedWordsOf } from '../../../../src/reasoner/extractive/text/tagger.ts';
import { SENTENCES } from './tagged-sentences.ts';

type Tagger = (text: string) => { docs: { text: string; tags: Set<string> }[][] };

/** The package's other build: an instance of its own, as it comes. */
const untouched: Tagger = createRequire(import.meta.url)('compromise');

describe('the part-of-speech tags', () => {
  it.each(SENTENCES)('the tags are the same as those of compromise: %s', (sentence) => {
    const expected = untouched(sentence)
      .docs.flat()
      .filter(({ text }) => text !== '')
      .map(({ text, tags }) => [text, [...tags]]);
    expect(taggedWordsOf(sentence).map(({ text, tags }) => [text, [...tags]])).toEqual(expected);
  });
});
