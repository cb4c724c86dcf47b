import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../../src/auth/api-keys.ts';
import { useBrowser } from '../../support/console/browser.ts';
import { createTestServer, OPEN, type TestServer } from '../../support/server.ts';

// biome-ignore lint/style/noProcessEnv: says where the tests run, not how the server is set up
const { SCREENSHOTS } = process.env;

let server: TestServer;
const browser = useBrowser();
beforeAll(async () => {
  server = await createTestServer(OPEN);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Opens GraphiQL; collects what the page asked other hosts for, and its complaints. */
async function open(context = browser().newContext({ viewport: { width: 1400, height: 850 } })) {
  const page = await (await context).newPage();
  page.setDefaultTimeout(60_000);
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && host !== new URL(server.origin).host) {
      elsewhere.push(request.url());
    }
  });
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(server.origin).host) elsewhere.push(socket.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${server.origin}/graphql`);
  await page.waitForSelector('.graphiql-query-editor .view-lines');
  return { page, elsewhere, complaints, context: page.context() };
}

/** Clicks a tab; GraphiQL takes 0.1 s to have read its operation, which then stands in the URL. */
async function tab(page: Page, title: string) {
  const active = page.locator('.graphiql-tab-active', { hasText: title });
  if (await active.isVisible()) return;
  await page.locator('.graphiql-tab-button', { hasText: title }).click();
  await active.waitFor();
  await page.waitForURL((url) => url.search.includes(title));
}
const run = (page: Page) => page.locator('.graphiql-execute-button').click();
async function shown(page: Page) {
  const lines = await page.locator('.graphiql-response .view-line').allTextContents();
  return lines.join('\n').replaceAll('\u00a0', ' ');
}

it('GraphiQL runs its example tabs, including a live subscription, without contacting another host', async () => {
  const { page, elsewhere, complaints, context } = await open();
  expect(new URL(page.url()).pathname).toBe('/graphql');
  await tab(page, 'Remember');
  await run(page);
  await expect.poll(() => shown(page)).toContain('"status": "STORED"');
  await server.world.settle();
  await tab(page, 'Recall');
  await run(page);
  await expect.poll(() => shown(page)).toContain('My cat Luna turned 4 today');
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/graphiql-recall.png` });

  await tab(page, 'LiveEvents');
  const socket = page.waitForEvent('websocket');
  await run(page);
  await socket;
  const second = await open(Promise.resolve(context));
  await tab(second.page, 'Remember');
  await run(second.page);
  await expect.poll(() => shown(second.page)).toContain('"status": "STORED"');
  // Pages that are behind another are not drawn.
  await page.bringToFront();
  await expect.poll(() => shown(page)).toContain('TURNS_REMEMBERED');
  await expect.poll(() => shown(page)).toContain('Happy birthday to Luna!');
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/graphiql-live.png` });
  expect(elsewhere).toEqual([]);
  expect(second.elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

it("GraphiQL sends a tab's headers over WebSocket, too", async () => {
  const closed = server;
  server = await createTestServer();
  try {
    const { secret } = await createApiKey(server.world.ctx, 'browser');
    const { page, context } = await open();
    await tab(page, 'LiveEvents');
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .view-lines').last().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${secret}` }));
    await page.waitForTimeout(1_500);
    await run(page);
    await expect.poll(() => shown(page)).toContain('this API key acts for');
    await context.close();
  } finally {
    await server[Symbol.asyncDispose]();
    server = closed;
  }
});
