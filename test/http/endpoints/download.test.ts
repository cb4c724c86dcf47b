import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { sayAt } from '../../support/samples/conversation.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';
import type { Client } from '../../support/world.ts';

let server: TestServer;
/** What changes to a memory wait for, and how many have waited. */
let held: Promise<void> = Promise.resolve();
let checking = 0;

const holding = (ctx: App): App => ({
  ...ctx,
  memory: (userId) => {
    const memory = ctx.memory(userId);
    return {
      ...memory,
      async write(...args) {
        checking += 1;
        await held;
        return memory.write(...args);
      },
    };
  },
});

beforeAll(async () => {
  server = await createTestServer({ RATE_LIMIT_FAILED_AUTH: '12' }, {}, holding);
  await sayAt(await server.world.user('ada'), '08:00', 'The archive of Ada.');
  await sayAt(await server.world.user('bob'), '08:00', 'The archive of Bob.');
  await server.world.settle();
});
afterAll(() => server[Symbol.asyncDispose]());

async function offer(userId: string, by?: Client): Promise<string> {
  const client = by ?? (await server.world.user(userId));
  const { body } = await client.post({
    query: `mutation ($userId: String) { exportMemory(userId: $userId) { ... on ExportPayload { url expiresAt } } }`,
    variables: { userId },
  });
  return (body.data as unknown as { exportMemory: { url: string } }).exportMemory.url;
}

async function download(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.origin}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

it('an export is downloaded once, without credentials', async () => {
  const url = await offer('ada');
  const first = await download(url);
  expect(first.status).toBe(200);
  expect(first.text).toContain('The archive of Ada.');
  expect(first.text).not.toContain('Bob');
  // Until the server has cleaned up behind the first one, it says that it is busy.
  await expect.poll(async () => (await download(url)).status).toBe(401);
  const second = await download(url);
  expect(JSON.parse(second.text)).toMatchObject({
    errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
  });
  const { rows } = await server.world.ctx.db.pool.query('SELECT download_hash FROM users');
  expect(rows.every((row) => row.download_hash === null)).toBe(true);
});

it('POST exports like GET, and without credentials GET is refused with advice', async () => {
  const ask = async (method: string, headers: Record<string, string>) => {
    const response = await fetch(`${server.origin}/export/ada`, { method, headers });
    return {
      status: response.status,
      allow: response.headers.get('allow'),
      text: await response.text(),
    };
  };
  const posted = await ask('POST', await asUser('ada'));
  expect(posted).toMatchObject({ status: 200, text: expect.stringContaining('archive of Ada') });
  expect((await ask('POST', await asUser('bob'))).status).toBe(404);
  const from = { 'x-requested-with': 'x' };
  expect((await ask('POST', from)).status).toBe(401);
  expect(await ask('GET', from)).toMatchObject({
    status: 405,
    allow: 'POST',
    text: expect.stringMatching(/use POST here, or the address with a ticket/),
  });
});

it('of two downloads at once, one is served', async () => {
  const url = await offer('ada', await server.world.key());
  const both = await Promise.all([download(url), download(url)]);
  const served = both.filter(({ status }) => status === 200);
  expect(served).toHaveLength(1);
  expect(both.filter(({ status }) => status === 401 || status === 429)).toHaveLength(1);
});

it('a wrong ticket that is being checked does not keep out a valid one', async () => {
  const url = await offer('ada', await server.world.key());
  let check = () => {};
  held = new Promise((resolve) => {
    check = resolve;
  });
  checking = 0;
  const wrong = download('/export/ada?ticket=wrong');
  await expect.poll(() => checking).toBe(1);
  held = Promise.resolve();
  expect((await download(url)).status).toBe(200);
  check();
  expect((await wrong).status).toBe(401);
});

it('a download ends at its time, with the next one, and with the memory', async () => {
  const late = await offer('ada');
  const before = server.world.now;
  server.world.now = new Date(before.getTime() + 10 * 60_000);
  expect((await download(late)).status).toBe(401);
  server.world.now = before;
  const former = await offer('ada');
  const latest = await offer('ada');
  expect((await download(former)).status).toBe(401);
  expect((await download(latest)).status).toBe(200);
});

it("a ticket opens no other user's memory, and wrong ones are counted by address", async () => {
  const url = await offer('ada');
  const ticket = new URL(url, server.origin).searchParams.get('ticket');
  const refusals: number[] = [];
  for (const path of [
    `/export/bob?ticket=${ticket}`,
    '/export/nobody?ticket=x',
    '/export/ada?ticket=',
  ]) {
    refusals.push((await download(path)).status);
  }
  expect(refusals).toEqual([401, 401, 401]);
  const others: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    others.push((await download('/export/ada?ticket=wrong')).status);
  }
  expect(others.at(-1)).toBe(429);
  // The right one works even while somebody guesses from the same address.
  expect((await download(url)).status).toBe(200);
});
