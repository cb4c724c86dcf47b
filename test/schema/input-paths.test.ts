import { afterAll, beforeAll, expect, it } from 'vitest';
import { asUser, createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

it.each([
  ['mutation { openThread(channel: "a b") { ...Issues } }', 'channel'],
  [
    'mutation { configureUser(inactivityTimeoutMinutes: 0) { ...Issues } }',
    'inactivityTimeoutMinutes',
  ],
  ['mutation { configureChannel(name: "a b", kind: EXPLICIT) { ...Issues } }', 'name'],
  ['{ recentMemories(days: 0) { ...Issues } }', 'days'],
  ['{ recall(input: { query: " " }) { ...Issues } }', 'input.query'],
  ['{ context(input: { message: "Hi", maxTokens: 1 }) { ...Issues } }', 'input.maxTokens'],
])('the path of a problem begins with the argument: %s', async (operation, path) => {
  const query = `${operation} fragment Issues on InvalidInputError { issues { path } }`;
  const { body } = await server.post({ query }, await asUser('ann'));
  expect(Object.values(body.data ?? {})).toEqual([{ issues: [{ path }] }]);
});
