import { expect, it } from 'vitest';
import { checkSettings } from '../../src/config/check-settings.ts';

const notesOn = (env: Record<string, string>) =>
  checkSettings(env).notes.map(({ level, message }) => `${level}: ${message}`);

it('settings that make sense need no note, and other variables of the environment are none of ours', () => {
  const env = { PORT: '4100', EMBEDDER: 'none', HOME: '/home/ada', HOSTNAME: 'one', LANG: 'C' };
  const { config, notes } = checkSettings(env);
  expect(notes).toEqual([]);
  expect(config?.server.port).toBe(4100);
});

it('an empty variable counts as not set, and needs no note', () => {
  expect(checkSettings({ WORKERS: '', HOST: '', PORT: '', DATA_DIR: '' }).notes).toEqual([]);
});

it('every wrong setting is a problem of its own, and then there is no configuration', () => {
  const { config, notes } = checkSettings({ PORT: 'x', JWT_SECRET: 'short' });
  expect(config).toBeNull();
  expect(notes.map(({ level }) => level)).toEqual(['problem', 'problem']);
  expect(notes[0]?.message).toMatch(/^PORT: /);
  expect(notesOn({ REASONER: 'openai', REASONER_MODEL: 'm' })).toEqual([
    expect.stringMatching(/^problem: OPENAI_API_KEY/),
  ]);
});

it.each([
  ['EMBEDDER_MODEL', 'EMBEDDING_MODEL', false],
  ['DATABASE_ULR', 'DATABASE_URL', true],
  ['MNEMOGRAPH_PORT', 'PORT', true],
  ['JWT_ISUER', 'JWT_ISSUER', true],
  ['EPISODIC_WHATEVER', 'docs/configuration.md', true],
])('%s is reported as unknown, and %s is named', (name, meant, isReported) => {
  const { notes } = checkSettings({ [name]: 'x' });
  expect(notes).toHaveLength(isReported ? 1 : 0);
  if (isReported) {
    expect(notes[0]).toMatchObject({ level: 'warning', message: `${name} is not a setting` });
    expect(notes[0]?.advice).toContain(meant);
  }
});

it.each([
  [{ DATABASE_URL: 'postgresql://a@b/c', DATA_DIR: './data' }, 'DATA_DIR has no effect'],
  [{ JWT_AUDIENCE: 'me' }, 'JWT_AUDIENCE has no effect'],
  [{ REASONER_MODEL: 'gpt-5-mini' }, 'REASONER_MODEL has no effect: REASONER is extractive'],
  [{ EMBEDDING_MODEL: 'some' }, 'EMBEDDING_MODEL has no effect: EMBEDDER is built-in'],
  [{ MODEL_DAILY_TOKENS: '100' }, 'MODEL_DAILY_TOKENS has no effect'],
  [{ CHANNELS: 'kiosk=EXPLICIT:30' }, 'CHANNELS: the 30 minutes of "kiosk" count for imports only'],
  [{ WORKERS: '0' }, 'WORKERS is 0'],
  [{ HOST: '0.0.0.0' }, 'The server is reachable over the network (HOST=0.0.0.0)'],
  [{ PUBLIC_URL: 'http://memory.test' }, 'The server is reachable over the network'],
] as [Record<string, string>, string][])('%j is a warning: %s', (env, message) => {
  expect(notesOn(env)).toEqual([expect.stringContaining(`warning: ${message}`)]);
});

it('a public address with https is no warning', () => {
  expect(notesOn({ HOST: '0.0.0.0', PUBLIC_URL: 'https://memory.test' })).toEqual([]);
});
