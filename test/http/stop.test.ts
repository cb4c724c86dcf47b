import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { asUser, createTestServer } from '../support/server.ts';

const EVENTS = 'subscription { memoryEvents { number } }';

afterEach(() => {
  vi.useRealTimers();
});

it('a request in progress when the server stops is answered, and its connection does not hold up the stop', async () => {
  const other = await createTestServer();
  const body = JSON.stringify({ query: '{ viewer { id } }' });
  const headers = {
    ...(await asUser('ann')),
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const agent = new Agent({ keepAlive: true });
  const request = httpRequest(`${other.origin}/graphql`, { method: 'POST', agent, headers });
  request.write(body.slice(0, 9));
  // The server has read the beginning once it has answered what was sent later.
  await other.post({ query: '{ viewer { id } }' }, await asUser('ann'));

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stopping = other.stop();
  request.end(body.slice(9));
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(200);
  response.resume();
  await vi.advanceTimersByTimeAsync(3_000);
  await stopping;
  agent.destroy();
  await other[Symbol.asyncDispose]();
});

it('stopping the server closes WebSockets with a request to reconnect, and ends streams and idle connections', async () => {
  const other = await createTestServer();
  const socket = other.socket(await asUser('ann'));
  const closed = new Promise<CloseEvent>((resolve) => socket.on('closed', resolve as never));
  const events = socket.iterate({ query: EVENTS });
  const next = events.next().catch(() => undefined);
  const stream = await other.stream({ query: EVENTS }, await asUser('ann'));
  const streamed = stream.next().catch(() => null);
  const silent = new WebSocket(
    `${other.origin.replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
  );
  await once(silent, 'open');
  // A client that never answers: not even to the server's goodbye.
  (silent as unknown as { _socket: { pause(): void } })._socket.pause();
  await other.post({ query: '{ viewer { id } }' }, await asUser('ann'));

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // As on SIGTERM: the server, not the clients, ends it.
  const stopping = other.stop();
  expect(await closed).toMatchObject({ code: 1001, reason: 'The server is stopping. Reconnect.' });
  await vi.advanceTimersByTimeAsync(3_000);
  await stopping;
  await next;
  await streamed;
  await other[Symbol.asyncDispose]();
});
