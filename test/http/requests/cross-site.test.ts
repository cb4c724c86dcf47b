import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { say } from '../../support/samples/conversation.ts';
import { createTestServer, OPEN, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ ...OPEN, CORS_ORIGINS: 'https://app.example' });
  await say(server.world.client(), { channel: 'sms', turns: [{ text: 'My cat is Luna.' }] });
});
afterAll(() => server[Symbol.asyncDispose]());

type Headers = Record<string, string>;

/** A request with exactly these headers; of an event stream, the status. */
const ask = (path: string, headers: Headers = {}, { method = 'GET', body = '' } = {}) =>
  new Promise<{ status: number; code: string | undefined }>((resolve, reject) => {
    const request = httpRequest(`${server.origin}${path}`, { method, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        request.destroy();
        return resolve({ status, code: undefined });
      }
      response.toArray().then((parts) => {
        const text = parts.join('');
        const code = /"code":"(\w+)"/.exec(text)?.[1];
        resolve({ status, code });
      }, reject);
    });
    request.on('error', reject);
    request.end(body);
  });

const asked = (query: string) => `/graphql?${new URLSearchParams({ query })}`;
const RECALL = asked('{ recall(input: { query: "cat" }) { __typename } }');
const EVENTS = asked('subscription { memoryEvents { number } }');
const STREAM = { accept: 'text/event-stream' };
const ARCHIVE = '/export/local';
/** The number of the last event: an export would be noted. */
const last = async () => {
  const { rows } = await server.world.ctx.db.pool.query('SELECT max(number) FROM memory_events');
  return Number(rows[0].max);
};

const CROSS = { 'sec-fetch-site': 'cross-site' };
/** Other ports of this machine are the same site. */
const SAME_SITE = { 'sec-fetch-site': 'same-site' };

it.each([
  ['an old browser', {}],
  ['an image of another site', CROSS],
  ['an image of another port', SAME_SITE],
  ['a form', { ...CROSS, 'content-type': 'application/x-www-form-urlencoded' }],
  ['a form of an old browser', { 'content-type': 'text/plain; x=application/json' }],
])('a request of %s is refused by an open server', async (_what, headers: Headers) => {
  const before = await last();
  for (const [path, method] of [
    [RECALL, 'GET'],
    [ARCHIVE, 'POST'],
  ] as const) {
    const { status, code } = await ask(path, headers, { method });
    expect([path, status]).toEqual([path, 403]);
    expect(['FORBIDDEN', 'PREFLIGHT_REQUIRED']).toContain(code);
  }
  expect([403, 405]).toContain((await ask(ARCHIVE, headers)).status);
  expect((await ask(EVENTS, { ...headers, ...STREAM })).status).toBe(403);
  expect(await last()).toBe(before);
});

it.each([CROSS, SAME_SITE])(
  'a request of another site cannot read metrics, run an operation or import: %j',
  async (from) => {
    expect(await ask('/metrics', from)).toEqual({ status: 403, code: 'FORBIDDEN' });
    const body = JSON.stringify({ query: '{ viewer { userId } }' });
    const json = { 'content-type': 'application/json' };
    for (const headers of [
      { ...from, ...json },
      { ...from, 'x-requested-with': 'x' },
    ]) {
      const answer = await ask('/graphql', headers, { method: 'POST', body });
      expect(answer).toEqual({ status: 403, code: 'FORBIDDEN' });
    }
    expect((await ask('/import/local', from, { method: 'POST', body })).status).toBe(403);
  },
);

it.each([
  [{ 'x-requested-with': 'curl' }],
  [{ 'graphql-require-preflight': '1' }],
  [{ 'apollo-require-preflight': '1' }],
  [{ 'content-type': 'application/json' }],
  [{ 'sec-fetch-site': 'same-origin' }],
  [{ ...CROSS, origin: 'https://app.example' }],
])(
  'a request without a body is accepted with a header that no other site can send: %j',
  async (headers: Headers) => {
    expect(await ask(RECALL, headers)).toEqual({ status: 200, code: undefined });
    expect((await ask(EVENTS, { ...headers, ...STREAM })).status).toBe(200);
    const before = await last();
    const refused = { status: 405, code: 'METHOD_NOT_ALLOWED' };
    expect(await ask(ARCHIVE, headers)).toEqual(refused);
    expect(await last()).toBe(before);
    expect((await ask(ARCHIVE, headers, { method: 'POST' })).status).toBe(200);
    expect(await last()).toBe(before + 1);
  },
);

it('operations are accepted as JSON only, whatever other headers are sent', async () => {
  const body = JSON.stringify({ query: '{ viewer { userId } }' });
  const send = (headers: Headers) => ask('/graphql', headers, { method: 'POST', body });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await send({ 'content-type': type, 'x-requested-with': 'x' });
    expect(answer).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  }
  expect((await send({})).status).toBe(415);
  for (const type of ['application/json; charset=utf-8', 'application/graphql+json']) {
    expect((await send({ 'content-type': type })).status).toBe(200);
  }
});

it('a link on another site may open GraphiQL', async () => {
  const link = { ...CROSS, accept: 'text/html' };
  expect((await ask('/graphql', link)).status).toBe(200);
  expect((await ask('/', link)).status).toBe(302);
  expect((await ask('/healthz', CROSS)).status).toBe(200);
});
