import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { asUser, createTestServer, OPEN, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const read = (headers: Record<string, string> = {}, origin = server.origin) =>
  fetch(`${origin}/metrics`, { headers });

it('an API key reads the metrics; nobody and a user do not', async () => {
  const { secret } = await createApiKey(server.world.ctx, 'prometheus');
  server.world.ctx.metrics.modelCall({ step: 'compact', model: 'm', outcome: 'ok', seconds: 0.2 });
  const answer = await read({ authorization: `Bearer ${secret}` });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toContain(
    'mnemograph_model_call_seconds_count{step="compact",model="m",outcome="ok"} 1',
  );
  expect((await read()).status).toBe(401);
  expect((await read(await asUser('ann'))).status).toBe(403);
});

it('an open server shows its metrics to this machine', async () => {
  await using open = await createTestServer(OPEN);
  expect((await read({}, open.origin)).status).toBe(200);
});
