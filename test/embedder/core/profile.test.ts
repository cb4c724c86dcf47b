import { describe, expect, it } from 'vitest';
import { embeddingProfileSchema } from '../../../src/domain/core/embedding-profile.ts';
import { BUILT_IN_PROFILE, profileOf } from '../../../src/embedder/core/profile.ts';

describe("a model's profile", () => {
  it('the built-in model has a measured profile', () => {
    expect(embeddingProfileSchema.parse(BUILT_IN_PROFILE)).toEqual(BUILT_IN_PROFILE);
    expect(BUILT_IN_PROFILE.calibrated).toBe(true);
    const { topic, novelty, sameFact } = BUILT_IN_PROFILE.thresholds;
    expect([topic, novelty, sameFact]).toEqual([topic, novelty, sameFact].sort());
  });

  it.each([
    ['text-embedding-3-large', { dimension: 3_072, maxTokens: 8_191 }],
    [
      'nomic-embed-text:latest',
      { prefixes: { query: 'search_query: ', document: 'search_document: ' } },
    ],
    [
      'nomic-ai/nomic-embed-text-v1.5',
      { prefixes: { query: 'search_query: ', document: 'search_document: ' } },
    ],
    ['intfloat/multilingual-e5-large', { prefixes: { query: 'query: ', document: 'passage: ' } }],
    ['BAAI/bge-small-en-v1.5', { dimension: null, maxTokens: 400 }],
    ['somebody/their-own-model', { dimension: null, prefixes: { query: '', document: '' } }],
  ])(
    'the profile of %s has the published values and is marked as not calibrated',
    (model, expected) => {
      const profile = profileOf(model);
      expect(embeddingProfileSchema.parse(profile)).toEqual(profile);
      expect(profile).toMatchObject({ model, calibrated: false, ...expected });
    },
  );
});
