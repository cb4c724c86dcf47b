import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { envSchema } from '../../src/config/env.ts';

it('without settings the server uses the embedded database and is open on the loopback address', () => {
  expect(loadConfig({})).toMatchObject({
    server: { host: '127.0.0.1', port: 4000 },
    database: { url: null, folder: './data' },
    auth: { openWithoutKeys: true },
  });
});

it('an empty variable counts as not set', () => {
  const empty = Object.keys(envSchema.shape).map((name) => [name, '']);
  expect(loadConfig(Object.fromEntries(empty))).toEqual(loadConfig({}));
});

it.each([
  ['another address', { HOST: '0.0.0.0' }],
  ['user tokens', { JWT_SECRET: 'x'.repeat(32) }],
  ['a key set', { JWT_JWKS_URL: 'https://id.test/keys' }],
])('the server is not open with %s', (_name, env) => {
  expect(loadConfig(env).auth.openWithoutKeys).toBe(false);
});

it('every wrong setting is reported at once, with what it should be', () => {
  const load = () => loadConfig({ PORT: 'x', JWT_SECRET: 'short', DATABASE_URL: 'mysql://x' });
  expect(load).toThrow(/PORT: .*\n.*DATABASE_URL: .*\n.*JWT_SECRET: must be at least 32/);
});

it('CHANNELS sets the kinds and timeouts of additional channels', () => {
  const { channelRules } = loadConfig({ CHANNELS: 'kiosk=EXPLICIT, pager=IMPLICIT:10' }).threads;
  expect([...channelRules]).toEqual([
    ['kiosk', { kind: 'EXPLICIT', inactivityTimeoutMinutes: null }],
    ['pager', { kind: 'IMPLICIT', inactivityTimeoutMinutes: 10 }],
  ]);
  expect(() => loadConfig({ CHANNELS: 'kiosk' })).toThrow(/CHANNELS: "kiosk"/);
  expect(() => loadConfig({ CHANNELS: 'kiosk=IMPLICIT:99999' })).toThrow(
    /"kiosk=IMPLICIT:99999" must be .* \(1-43,200\)/,
  );
});

it('the built-in rules do the language work unless a model is named', () => {
  expect(loadConfig({}).reasoner).toBeNull();
  const local = { REASONER: 'openai', OPENAI_BASE_URL: 'http://localhost:11434/v1' };
  expect(loadConfig({ ...local, REASONER_MODEL: 'qwen3:8b' }).reasoner).toMatchObject({
    model: 'qwen3:8b',
    temperature: 0,
  });
  expect(() => loadConfig(local)).toThrow(/REASONER_MODEL: say which model/);
  expect(() => loadConfig({ REASONER: 'openai', REASONER_MODEL: 'gpt-5-mini' })).toThrow(
    /OPENAI_API_KEY: OpenAI requires a key/,
  );
});

it('REASONER_STEPS sets other models and temperatures for single steps', () => {
  const stepsOf = (REASONER_STEPS: string) =>
    loadConfig({
      REASONER: 'openai',
      REASONER_MODEL: 'small',
      REASONER_TEMPERATURE: '0.1',
      OPENAI_API_KEY: 'key',
      REASONER_STEPS,
    }).reasoner?.steps;
  const steps = stepsOf('compact=large, extract-facts=org/model:8b@0.5, same-fact=@1');
  expect([...(steps ?? [])]).toEqual([
    ['compact', { model: 'large', temperature: 0.1 }],
    ['extract-facts', { model: 'org/model:8b', temperature: 0.5 }],
    ['same-fact', { model: 'small', temperature: 1 }],
  ]);
  expect(() => stepsOf('compact')).toThrow(/REASONER_STEPS: "compact" must have the form/);
  expect(() => stepsOf('think=large')).toThrow(/the steps are describe-segment, find-boundaries/);
  expect(() => stepsOf('compact=large@7')).toThrow(/REASONER_STEPS/);
  expect(stepsOf('compact=@cf/meta/llama-3@0.2')?.get('compact')).toEqual({
    model: '@cf/meta/llama-3',
    temperature: 0.2,
  });
});

it.each([
  ['a line break', 'sk-1234\n'],
  ['a space', 'sk 1234'],
  ['letters that an HTTP header cannot carry', 'sk-ключ'],
])('a key with %s is refused at the start, and the message does not quote it', (_what, key) => {
  for (const name of ['OPENAI_API_KEY', 'EMBEDDING_API_KEY']) {
    const load = () => loadConfig({ [name]: key });
    expect(load).toThrow(new RegExp(`${name}: must be ASCII letters`));
    expect(load).not.toThrow(/sk/);
  }
});

it('a server address that contains a password is refused at the start, and the message does not quote it', () => {
  for (const name of ['OPENAI', 'EMBEDDING']) {
    const load = () => loadConfig({ [`${name}_BASE_URL`]: 'https://ada:secret@models.test/v1' });
    expect(load).toThrow(
      `${name}_BASE_URL: must not contain a user name or password; use ${name}_API_KEY.`,
    );
    expect(load).not.toThrow(/secret/);
  }
});

it('MEMORY_RERANK_WEIGHTS sets weights of the ranking; unknown names and wrong numbers are refused', () => {
  const { recall } = loadConfig({
    MEMORY_RERANK_WEIGHTS: 'recency=0.2, pinned=0',
    RECALL_FUSION: 'rrf',
  });
  expect(recall).toMatchObject({
    ...{ fusion: 'rrf', first: 10, mostFacts: 24 },
    weights: { recency: { ORDINARY: 0.2, RECALL: 0.2 }, pinned: 0 },
  });
  for (const text of ['fame=1', 'recency', 'recency=lots', 'recency=-1'])
    expect(() => loadConfig({ MEMORY_RERANK_WEIGHTS: text })).toThrow(/MEMORY_RERANK_WEIGHTS/);
});
