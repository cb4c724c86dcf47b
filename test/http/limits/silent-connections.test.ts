import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { limitSilentConnections } from '../../../src/http/limits/silent-connections.ts';

async function serve(limit: { most: number; patience: number }) {
  const http = createServer((_request, response) => response.end('ok'));
  const endSilence = limitSilentConnections(http, limit);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const connections = () =>
    new Promise<number>((resolve) => http.getConnections((_error, count) => resolve(count)));
  return {
    connections,
    endSilence,
    silent: async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    },
    ask: async () => {
      const [response] = await once(get({ port, agent: false }), 'response');
      return response.statusCode;
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

it('of too many connections that have sent nothing, the oldest are closed', async () => {
  await using server = await serve({ most: 20, patience: 0 });
  const sockets: Socket[] = [];
  for (let index = 0; index < 60; index += 1) sockets.push(await server.silent());
  await expect.poll(server.connections).toBe(20);
  await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(40);
  expect(sockets.slice(-20).every(({ closed }) => !closed)).toBe(true);
  expect(await server.ask()).toBe(200);
});

it('a connection that has sent a request may be silent afterwards', async () => {
  await using server = await serve({ most: 2, patience: 0 });
  const first = await server.silent();
  first.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(first, 'data');
  for (let index = 0; index < 10; index += 1) await server.silent();
  await expect.poll(server.connections).toBe(3);
  expect(first.closed).toBe(false);
});

it('new connections may be silent for a while, however many they are', async () => {
  await using server = await serve({ most: 2, patience: 3_600_000 });
  for (let index = 0; index < 10; index += 1) await server.silent();
  expect(await server.connections()).toBe(10);
  expect(await server.ask()).toBe(200);
});

it('when the server stops, connections that have sent nothing are closed', async () => {
  await using server = await serve({ most: 20, patience: 50 });
  const sockets = await Promise.all(Array.from({ length: 10 }, server.silent));
  const spoken = await server.silent();
  spoken.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(spoken, 'data');
  server.endSilence();
  await expect.poll(() => sockets.every(({ closed }) => closed)).toBe(true);
  expect(spoken.closed).toBe(false);
});
