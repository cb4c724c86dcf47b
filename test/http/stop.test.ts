import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { asUser, createTestServer } from '../support/server.ts';

const EVENTS = 'subscription { memoryEvents { number } }';

afterEach(() => {
  vi.useRealTimers();
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
