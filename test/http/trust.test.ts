import { request as httpRequest } from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { App } from '../../src/app.ts';
import { failingStatements } from '../support/database/failing-statements.ts';
import { asUser, closedWith, createTestServer, OPEN, type TestServer } from '../support/server.ts';

const VIEWER = { query: '{ viewer { turnCount } }' };
const REMEMBER = {
  query: `mutation { remember(input: { channel: "sms", turns: [{ text: "Hi." }] }) { __typename } }`,
};

/** A request as a browser would send it, with headers that fetch does not let us set. */
function send(
  { origin }: TestServer,
  headers: Record<string, string>,
  { method = 'POST', path = '/graphql', body = JSON.stringify(VIEWER) } = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const all = { 'content-type': 'application/json', ...headers };
      const request = httpRequest(
        `${origin}${path}`,
        { method, headers: all },
        async (response) => {
          const text = (await response.toArray()).join('');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        },
      );
      request.on('error', reject);
      request.end(method === 'POST' ? body : undefined);
    },
  );
}

/** The HTTP status with which a WebSocket is refused; 101 when it opens. */
const upgrade = ({ origin }: TestServer, headers: Record<string, string>) =>
  new Promise<number>((resolve) => {
    const url = `${origin.replace('http', 'ws')}/graphql`;
    const socket = new WebSocket(url, 'graphql-transport-ws', { headers });
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
    socket.on('open', () => socket.close());
  });

it('an open server answers only pages and host names of this machine', async () => {
  await using server = await createTestServer(OPEN);
  const { host, port } = new URL(server.origin);
  for (const own of [
    {},
    { host },
    { host: `localhost:${port}`, origin: `http://localhost:${port}` },
  ]) {
    expect((await send(server, own)).status).toBe(200);
    expect(await upgrade(server, own)).toBe(101);
  }
  const evil = { origin: 'https://evil.example' };
  const rebound = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` };
  for (const foreign of [
    evil,
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    rebound,
    { host: 'evil.example' },
  ]) {
    const { status, text, headers } = await send(server, foreign, {
      body: JSON.stringify(REMEMBER),
    });
    expect(status).toBe(403);
    expect(JSON.parse(text).errors[0].extensions.code).toBe('FORBIDDEN');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect((await send(server, foreign, { method: 'OPTIONS' })).status).toBe(403);
    expect(await upgrade(server, foreign)).toBe(403);
    expect(
      (await send(server, { ...foreign, accept: 'text/html' }, { method: 'GET' })).status,
    ).toBe(403);
  }
  expect((await server.post(VIEWER)).body.data).toEqual({ viewer: null });
});

it('credentials are required as soon as there is an API key', async () => {
  await using server = await createTestServer(OPEN);
  const made = await server.post({
    query: 'mutation { createApiKey(name: "app") { ... on CreatedApiKey { secret } } }',
  });
  const { secret } = (made.body.data as unknown as { createApiKey: { secret: string } })
    .createApiKey;
  await expect.poll(async () => (await server.post(VIEWER)).status).toBe(401);
  await expect.poll(async () => (await closedWith(server, {}))[0]).toBe(4403);
  expect((await server.post(VIEWER, { authorization: `Bearer ${secret}` })).status).toBe(200);
});

it('pages of CORS_ORIGINS may call the server with credentials of their own', async () => {
  await using server = await createTestServer({
    CORS_ORIGINS: 'https://app.example, https://b.example',
  });
  const origin = 'https://app.example';
  const user = await asUser('ann');
  const preflight = await send(
    server,
    {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-trace',
    },
    { method: 'OPTIONS' },
  );
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization,content-type,x-trace',
    vary: 'Origin',
  });
  const answers = [
    await send(server, { origin, ...user }),
    await send(server, { origin }),
    await send(server, { origin, ...user }, { body: '{' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 400]);
  for (const { headers } of answers) {
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  }
  expect((await send(server, { origin: 'https://c.example', ...user })).status).toBe(403);
  expect(await upgrade(server, { origin })).toBe(101);
  expect(await closedWith(server, {}, { origin })).toMatchObject([4403, /Authorization/]);
  expect(await upgrade(server, { origin: 'https://c.example' })).toBe(403);
});

it('responses forbid browsers to sniff, frame, cache or share them', async () => {
  await using server = await createTestServer(OPEN);
  for (const path of ['/graphql', '/healthz', '/elsewhere']) {
    const { headers } = await send(
      server,
      {},
      { method: path === '/graphql' ? 'POST' : 'GET', path },
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
  const page = await send(server, { accept: 'text/html' }, { method: 'GET' });
  expect(page.headers['content-security-policy']).toMatch(
    /default-src 'none'; script-src 'self'; .*connect-src 'self'; .*frame-ancestors 'none'$/,
  );
  expect(await (await fetch(`${server.origin}/healthz`)).text()).toBe('ok');
  const home = await fetch(server.origin, { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, './console/']);
});

it('GraphiQL, introspection and suggestions can be switched off', async () => {
  await using server = await createTestServer({
    ...OPEN,
    GRAPHIQL: 'false',
    INTROSPECTION: 'false',
  });
  for (const path of ['/graphql', '/graphiql/app.js']) {
    const { status, text } = await send(
      server,
      { accept: 'text/html, */*' },
      { method: 'GET', path },
    );
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('GraphiQL');
  }
  const said = async (query: string, variables?: object) =>
    (await server.post({ query, variables })).body.errors?.map(({ message }) => message);
  expect((await said('{ __schema { types { name } } }'))?.[0]).toBe(
    'GraphQL introspection has been disabled, but the requested query contained the field "__schema".',
  );
  expect(await said('{ vewer { id } }')).toEqual(['Cannot query field "vewer" on type "Query".']);
  expect(await said('{ viewer { id(x: 1) } nod(id: 1) { id } }')).toEqual([
    'Unknown argument "x" on field "User.id".',
    'Cannot query field "nod" on type "Query".',
  ]);
  const remember = 'mutation ($input: RememberInput!) { remember(input: $input) { __typename } }';
  const turn = { text: 'Hi.', role: 'USR' };
  for (const input of [
    { channel: 'a', turns: [turn] },
    { chanel: 'a', channel: 'a', turns: [] },
  ]) {
    const [message] = (await said(remember, { input })) ?? [];
    expect(message).toMatch(/^Variable "\$input" got invalid value/);
    expect(message).not.toMatch(/Did you mean|Allowed/);
  }
  const socket = server.socket();
  const errors = await socket
    .iterate({ query: '{ vewer }' })
    .next()
    .catch((error) => error);
  expect(errors).toMatchObject([{ message: 'Cannot query field "vewer" on type "Query".' }]);
});

it('unexpected errors are masked and logged', async () => {
  const lines: string[] = [];
  const logger = pino(
    { level: 'info' },
    new Writable({
      write: (line, _encoding, done) => {
        lines.push(String(line));
        done();
      },
    }),
  );
  const broken = (ctx: App): App => ({
    ...ctx,
    db: failingStatements(ctx.db, (name) =>
      ['events-bounds', 'api-keys-list', 'api-keys-find'].includes(name)
        ? new Error('secret table missing')
        : null,
    ),
  });
  await using server = await createTestServer(OPEN, { logger }, broken);
  const masked = 'Something went wrong on the server. It has been logged.';
  const code = { code: 'INTERNAL_SERVER_ERROR' };
  const told = () => lines.splice(0).filter((line) => line.includes('secret table missing')).length;

  const inField = await server.post({ query: '{ apiKeys { id } }' });
  expect(inField.status).toBe(200);
  expect(inField.body.errors).toMatchObject([
    { message: masked, path: ['apiKeys'], extensions: code },
  ]);
  expect(told()).toBe(1);
  const before = await server.post(VIEWER, { authorization: 'Bearer mnemo_any' });
  expect(before.status).toBe(500);
  expect(before.body.errors).toMatchObject([{ message: masked, extensions: code }]);
  expect(told()).toBe(1);
  const events = { query: 'subscription { memoryEvents { number } }' };
  const { value } = await server.socket().iterate(events).next();
  expect(value).toMatchObject({ errors: [{ message: masked, extensions: code }] });
  expect(told()).toBe(1);
  expect(await closedWith(server, { authorization: 'Bearer mnemo_any' })).toEqual([4500, masked]);
  expect(JSON.stringify([inField, before, value])).not.toContain('secret');
  expect((await server.post(VIEWER)).status).toBe(200);
});
