import { request as httpRequest } from 'node:http';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const BODY = JSON.stringify({ query: '{ apiKeys { name } }' });
const PUBLIC = 'https://memory.example.com';
const HOST = { host: 'memory.example.com' };

type Headers = Record<string, string>;

/** A request as a proxy passes it on. */
const send = ({ origin }: TestServer, headers: Headers) =>
  new Promise<{ status: number; message: string }>((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const request = httpRequest(`${origin}/graphql`, options, async (response) => {
      const { errors } = JSON.parse((await response.toArray()).join(''));
      resolve({ status: response.statusCode ?? 0, message: errors?.[0].message ?? '' });
    });
    request.on('error', reject);
    request.end(BODY);
  });

/** What a WebSocket is refused with; 101 when it opens. */
const upgrade = ({ origin }: TestServer, headers: Headers) =>
  new Promise<{ status: number; text: string }>((resolve) => {
    const url = `${origin.replace('http', 'ws')}/graphql`;
    const socket = new WebSocket(url, 'graphql-transport-ws', { headers });
    socket.on('unexpected-response', async (_request, response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode ?? 0, text });
    });
    socket.on('error', () => undefined);
    socket.on('open', () => {
      resolve({ status: 101, text: '' });
      socket.close();
    });
  });

it('a valid key is accepted under any host name, without a further setting', async () => {
  await using server = await createTestServer(OPEN);
  const { secret } = await createApiKey(server.world.ctx, 'app');
  const key = { authorization: `Bearer ${secret}` };
  for (const host of ['memory.example.com', 'memory.example.com:8443', '[::2]', '10.0.0.1:4000']) {
    expect(await send(server, { ...key, host })).toEqual({ status: 200, message: '' });
    expect((await upgrade(server, { host })).status).toBe(101);
  }
  const wrong = await send(server, { ...HOST, authorization: 'Bearer mnemo_guess' });
  expect(wrong.status).toBe(401);
  expect(await send(server, HOST)).toMatchObject({ status: 401 });
});

it('a refusal without a key says what to set and names the host that was used', async () => {
  await using server = await createTestServer(OPEN);
  const { status, message } = await send(server, HOST);
  expect(status).toBe(403);
  expect(message).toContain('set PUBLIC_URL=https://memory.example.com');
  expect(message).toContain('npm run keys -- create NAME');
  expect(await upgrade(server, HOST)).toEqual({ status: 403, text: message });
  const long = `${'a.'.repeat(200)}b`;
  const odd = await send(server, { host: long });
  expect(odd).toMatchObject({
    status: 403,
    message: expect.stringContaining('set PUBLIC_URL to that address'),
  });
  expect(odd.message).not.toContain(long);
});

it('a Host header that is not a host name is refused, with valid credentials, too', async () => {
  await using server = await createTestServer(OPEN);
  const { secret } = await createApiKey(server.world.ctx, 'app');
  for (const host of ['<b>', 'a b', 'http://x', 'a:b']) {
    const { status, message } = await send(server, { host, authorization: `Bearer ${secret}` });
    expect([status, message]).toEqual([400, 'The Host header is not a host name.']);
  }
});

it('a page of an unknown origin is refused with the settings that would allow it', async () => {
  await using server = await createTestServer();
  const { status, message } = await send(server, { origin: PUBLIC });
  expect(status).toBe(403);
  expect(message).toContain(`set PUBLIC_URL=${PUBLIC}`);
  expect(message).toContain(`add ${PUBLIC} to CORS_ORIGINS`);
  const odd = await send(server, { origin: 'https://<b>' });
  expect(odd.message).not.toContain('<b>');

  await using known = await createTestServer({ PUBLIC_URL: 'https://other.example' });
  const foreign = await send(known, { origin: PUBLIC });
  expect(foreign).toMatchObject({ status: 403, message: expect.stringContaining('CORS_ORIGINS') });
  expect(foreign.message).not.toContain('PUBLIC_URL');
});

it.each([PUBLIC, `${PUBLIC}/`, 'https://MEMORY.example.com:443/below'])(
  'PUBLIC_URL=%s allows its own pages whatever the Host header, and requires credentials',
  async (address) => {
    await using server = await createTestServer({ ...OPEN, PUBLIC_URL: address });
    const { secret } = await createApiKey(server.world.ctx, 'app');
    const key = { authorization: `Bearer ${secret}` };
    for (const host of [{}, HOST, { host: 'memory.example.com:443' }]) {
      const page = { ...host, origin: PUBLIC };
      expect(await send(server, { ...page, ...key })).toEqual({ status: 200, message: '' });
      expect(await send(server, page)).toMatchObject({ status: 401 });
      expect((await upgrade(server, page)).status).toBe(101);
    }
    expect((await send(server, { ...key, origin: 'https://evil.example' })).status).toBe(403);
  },
);

it('a PUBLIC_URL that only this machine can reach leaves the server open', async () => {
  await using closed = await createTestServer({ ...OPEN, PUBLIC_URL: PUBLIC });
  expect((await send(closed, {})).status).toBe(401);
  await using open = await createTestServer({ ...OPEN, PUBLIC_URL: 'http://localhost:8080' });
  expect((await send(open, { host: 'localhost:8080' })).status).toBe(200);
});
