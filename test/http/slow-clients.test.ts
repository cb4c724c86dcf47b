import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeEach(async () => {
  server = await createTestServer();
  const authorization = `Bearer ${(await createApiKey(server.world.ctx, 'slow')).secret}`;
  key = `Authorization: ${authorization}`;
  // From now on the key is known, so that a body is read at once.
  await server.post({ query: '{ __typename }' }, { authorization });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await server[Symbol.asyncDispose]();
});

/** A client that has sent the head of a request, which says that 1,000 bytes follow. */
async function begin(line: string, ...headers: string[]) {
  const { port } = new URL(server.origin);
  const socket = connect(Number(port), '127.0.0.1');
  let text = '';
  let closed = false;
  socket.on('data', (part) => {
    text += part;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  await once(socket, 'connect');
  const head = [`${line} HTTP/1.1`, `Host: localhost:${port}`, 'Content-Length: 1000', ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, text: () => text, closed: () => closed };
}

/** One byte, once the server has it. */
async function drip(socket: Socket) {
  await new Promise((resolve) => socket.write('{', resolve));
  await turn();
}
const turn = async () => {
  for (let time = 0; time < 20; time += 1) await new Promise(setImmediate);
};

it.each([
  ['GET /healthz', [], '200'],
  ['POST /nowhere', [], '404'],
  ['GET /graphql', [], '403'],
  ['POST /graphql', ['Content-Type: application/json'], '401'],
  ['POST /import/ann', ['X-Requested-With: x'], '401'],
  ['GET /export/ann', ['X-Requested-With: x'], '405'],
  ['POST /export/ann', ['X-Requested-With: x'], '401'],
])(
  '%s with an endless body is answered at once, and the connection is closed',
  async (line, headers, status) => {
    const client = await begin(line, ...headers);
    await expect.poll(client.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(client.closed()).toBe(false);
    for (let seconds = 0; seconds < 11; seconds += 1) {
      if (!client.closed()) await drip(client.socket);
      vi.advanceTimersByTime(1_000);
    }
    await expect.poll(client.closed).toBe(true);
  },
);

it('a client that finishes its body after the answer keeps its connection', async () => {
  const client = await begin('POST /nowhere');
  await expect.poll(client.text).toMatch(/^HTTP\/1.1 404 /);
  client.socket.write('x'.repeat(1_000));
  await turn();
  vi.advanceTimersByTime(30_000);
  await turn();
  client.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(client.text).toMatch(/HTTP\/1.1 200 OK/);
  client.socket.destroy();
});

it.each([
  ['POST /graphql', 'Content-Type: application/json'],
  ['POST /import/new', 'Content-Type: application/x-ndjson'],
])('%s with a body that stalls is answered with 408 and closed', async (line, type) => {
  const client = await begin(line, type, key);
  await drip(client.socket);
  vi.advanceTimersByTime(10_000);
  await turn();
  expect(client.text()).toBe('');
  await expect
    .poll(async () => {
      vi.advanceTimersByTime(10_000);
      await turn();
      return client.text();
    })
    .toMatch(/^HTTP\/1.1 408 .*"REQUEST_TIMEOUT"/s);
  vi.advanceTimersByTime(10_000);
  await expect.poll(client.closed).toBe(true);
});

it('a request whose body arrives byte by byte is answered with 408 after two minutes', async () => {
  const client = await begin('POST /graphql', 'Content-Type: application/json', key);
  for (let seconds = 0; seconds < 120; seconds += 10) {
    expect(client.text()).toBe('');
    await drip(client.socket);
    vi.advanceTimersByTime(10_000);
    await turn();
  }
  await expect.poll(client.text).toMatch(/^HTTP\/1.1 408 .*"REQUEST_TIMEOUT"/s);
  client.socket.destroy();
});

it('the connection of a refused WebSocket is closed, whatever the client does', async () => {
  const client = await begin(
    'GET /nowhere',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  );
  await expect.poll(client.text).toMatch(/^HTTP\/1.1 404 /);
  vi.advanceTimersByTime(3_000);
  await expect.poll(client.closed).toBe(true);
});

it('an invalid request is answered with its error, and the connection is closed', async () => {
  const client = await begin('GET /healthz', 'X-Long: '.padEnd(20_000, 'x'));
  await expect.poll(client.text).toMatch(/^HTTP\/1.1 431 /);
  await expect.poll(client.closed).toBe(true);
});
