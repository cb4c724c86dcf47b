import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startServerProcess } from '../tools/support/server-process.ts';

const REMEMBER = `mutation ($input: RememberInput!) {
  remember(input: $input) { ... on RememberPayload { turns { status } } ... on Error { code } } }`;

it('SIGTERM under load answers the requests in progress and ends the process in time, and all acknowledged turns are stored', async () => {
  await using server = await startServerProcess({ env: { EMBEDDER: 'none' } });
  const { apiKey, dataDir } = server;
  const settled: { key: string; error: string | null }[] = [];
  let stopped = false;
  const lane = async (name: number) => {
    for (let call = 0; !stopped; call += 1) {
      const key = `${name}.${call}`;
      const input = { userId: 'ann', channel: 'sms', turns: [{ text: key, idempotencyKey: key }] };
      const error = await server.request(REMEMBER, { input }).then(
        () => null,
        (failed: { code?: string }) => failed.code ?? String(failed),
      );
      settled.push({ key, error });
    }
  };
  const lanes = [1, 2, 3, 4].map(lane);
  await expect.poll(() => settled.length).toBeGreaterThan(50);
  server.kill('SIGTERM');
  const before = settled.length;
  await expect.poll(() => settled.length, { interval: 5 }).toBeGreaterThan(before + 4);
  stopped = true;
  await Promise.all(lanes);
  // In time, by its own clock: after 9 s the code would be 1.
  expect(await server.exited).toEqual({ code: 0, signal: null });

  const codes = new Set(settled.map(({ error }) => error));
  for (const code of codes) expect([null, 'ECONNREFUSED', 'ECONNRESET']).toContain(code);
  await using next = await startServerProcess({ dataDir, apiKey, env: { EMBEDDER: 'none' } });
  const { user } = await next.request<{ user: { turnCount: number } }>(
    '{ user(userId: "ann") { turnCount } }',
  );
  const acknowledged = settled.filter(({ error }) => error === null).length;
  expect(acknowledged).toBeGreaterThan(50);
  expect(user.turnCount).toBeGreaterThanOrEqual(acknowledged);
  expect(user.turnCount - acknowledged).toBeLessThanOrEqual(settled.length - acknowledged);
}, 60_000);

it('a second signal ends the server at once', async () => {
  await using server = await startServerProcess({ env: { EMBEDDER: 'none' } });
  // A request that does not end keeps the server from stopping.
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 100\r\n\r\n{`);
  await delay(500);
  server.kill('SIGTERM');
  await delay(1_200);
  const killed = performance.now();
  server.kill('SIGINT');
  expect(await server.exited).toEqual({ code: 1, signal: null });
  // A shutdown that waits for the request gives up after nine seconds. A busy machine delays a signal by a few.
  expect(performance.now() - killed).toBeLessThan(5_000);
  socket.destroy();
}, 60_000);

it('a signal that comes twice at once, as from a terminal and from a command, stops the server as one does', async () => {
  await using server = await startServerProcess({ env: { EMBEDDER: 'none' } });
  server.kill('SIGINT');
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
}, 60_000);

it('without the package for local models the server does not start, and says what to install', async () => {
  const env = {
    EMBEDDER: 'local',
    EMBEDDING_MODEL: 'some/model',
    LOCAL_PACKAGES: '/no/such/folder',
  };
  const refused = await startServerProcess({ env }).catch((error: Error) => error.message);
  expect(refused).toContain('ended with code 1');
  expect(refused).toMatch(/\nEMBEDDER=local needs the package .* run "npm install .*\.md\.\n$/);
}, 60_000);
