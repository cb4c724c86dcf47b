import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';

it('needs nothing: open on the loopback address, embedded, without a key', () => {
  expect(loadConfig({})).toMatchObject({
    server: { host: '127.0.0.1', port: 4000 },
    database: { url: null, folder: './data' },
    auth: { openWithoutKeys: true },
  });
});

it.each([
  ['another address', { HOST: '0.0.0.0' }],
  ['user tokens', { JWT_SECRET: 'x'.repeat(32) }],
  ['a key set', { JWT_JWKS_URL: 'https://id.test/keys' }],
])('is not open with %s', (_name, env) => {
  expect(loadConfig(env).auth.openWithoutKeys).toBe(false);
});

it('reports every wrong setting at once, with what it should be', () => {
  const load = () => loadConfig({ PORT: 'x', JWT_SECRET: 'short', DATABASE_URL: 'mysql://x' });
  expect(load).toThrow(/PORT: .*\n.*DATABASE_URL: .*\n.*JWT_SECRET: must be at least 32/);
});

it('reads the kinds of further channels', () => {
  const { channelRules } = loadConfig({ CHANNELS: 'kiosk=EXPLICIT, pager=IMPLICIT:10' }).threads;
  expect([...channelRules]).toEqual([
    ['kiosk', { kind: 'EXPLICIT', inactivityTimeoutMinutes: null }],
    ['pager', { kind: 'IMPLICIT', inactivityTimeoutMinutes: 10 }],
  ]);
  expect(() => loadConfig({ CHANNELS: 'kiosk' })).toThrow(/CHANNELS: "kiosk"/);
});
