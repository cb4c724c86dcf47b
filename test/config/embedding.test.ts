import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'mnemograph-profile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OPENAI = { EMBEDDER: 'openai', EMBEDDING_MODEL: 'some-model', OPENAI_API_KEY: 'sk-main' };
const LOCAL = { ...OPENAI, EMBEDDING_BASE_URL: 'http://localhost:11434/v1' };

const PROFILE = {
  model: 'some-model',
  dimension: 768,
  calibrated: true,
  surprise: { typical: 0.5, high: 0.7 },
  thresholds: { topic: 0.4, novelty: 0.5, sameFact: 0.6 },
  vectorWeight: 1,
  prefixes: { query: '', document: '' },
  maxTokens: 500,
};
const file = (content: unknown) => {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe('the embedder', () => {
  it('the embedder is the built-in one without any setting', () => {
    const { embedder, embedding, recall } = loadConfig({});
    expect({ embedder, embedding, recall }).toMatchObject({
      embedder: 'built-in',
      embedding: { profile: null, maxTokens: null, server: null },
      recall: expect.objectContaining({ vectorDeadline: 50 }),
    });
  });

  it("the embedder uses the reasoner's server and key unless it has its own", () => {
    const { embedding, recall } = loadConfig(OPENAI);
    expect(embedding.server).toEqual({
      baseUrl: 'https://api.openai.com/v1',
      ...{ apiKey: 'sk-main', model: 'some-model', dimensions: null, batch: 64 },
    });
    expect(recall.vectorDeadline).toBe(2_000);
  });

  it("the reasoner's key is never sent to another embedding server", () => {
    expect(loadConfig(LOCAL).embedding.server?.apiKey).toBeNull();
    const { embedding } = loadConfig({ ...LOCAL, EMBEDDING_API_KEY: 'own' });
    expect(embedding.server?.apiKey).toBe('own');
  });

  it.each([
    ['a missing model', { EMBEDDER: 'openai' }, 'EMBEDDING_MODEL: say which'],
    [
      'a missing key',
      { ...OPENAI, OPENAI_API_KEY: '' },
      'EMBEDDING_API_KEY: OpenAI requires a key',
    ],
    ['a wrong address', { ...OPENAI, EMBEDDING_BASE_URL: 'localhost' }, 'EMBEDDING_BASE_URL'],
    [
      'a number of dimensions beyond the limit',
      { ...OPENAI, EMBEDDING_DIMENSIONS: '20000' },
      'EMBEDDING_DIMENSIONS',
    ],
    [
      'a missing profile file',
      { ...LOCAL, EMBEDDING_PROFILE: join(folder, 'none') },
      'cannot be read (ENOENT)',
    ],
    ['a profile file without JSON', { ...LOCAL, EMBEDDING_PROFILE: file('{') }, 'is not JSON'],
    [
      'a file that is not a profile',
      { ...LOCAL, EMBEDDING_PROFILE: file({ ...PROFILE, surprise: 1 }) },
      '(wrong: surprise)',
    ],
    [
      'a profile of another model',
      { ...LOCAL, EMBEDDING_PROFILE: file({ ...PROFILE, model: 'other' }) },
      'was measured for "other", but the model is "some-model"',
    ],
    [
      'a profile with other dimensions',
      { ...LOCAL, EMBEDDING_PROFILE: file(PROFILE), EMBEDDING_DIMENSIONS: '256' },
      'was measured with 768 dimensions, but EMBEDDING_DIMENSIONS is 256',
    ],
    [
      'a profile of another model for the built-in model',
      { EMBEDDING_PROFILE: file(PROFILE) },
      'but the model is "use-lite-en/1"',
    ],
  ])('%s is refused, and the message says what to set', (_name, settings, message) => {
    expect(() => loadConfig(settings)).toThrow(message);
  });

  it('EMBEDDING_PROFILE reads a measured profile from a file', () => {
    const { embedding } = loadConfig({ ...LOCAL, EMBEDDING_PROFILE: file(PROFILE) });
    expect(embedding.profile).toEqual(PROFILE);
  });
});
