import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openConsole, PATIENCE, shown } from '../support/console.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, OPEN, serve, type TestServer } from '../support/server.ts';

const SCREENS = [
  ...['Live', 'Timeline', 'Links', 'Facts', 'Episodes', 'Recall'],
  ...['Privacy', 'Profile', 'Linking', 'Operations', 'Keys'],
];
const NOTICE = 'The server does not answer. Trying again';

const browser = useBrowser();
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  server.world.now = new Date();
  await tell('The parrot lives in the kitchen.');
  await server.world.settle();
});
afterAll(async () => {
  await server.stop();
  await server[Symbol.asyncDispose]();
});

const tell = (text: string) => say(server.world.client(), { channel: 'sms', turns: [{ text }] });

/** Ends the server until the result is disposed; then it is back under its address. */
async function away(): Promise<AsyncDisposable> {
  const { ctx } = server.world;
  const port = Number(new URL(server.origin).port);
  await server.stop();
  return {
    async [Symbol.asyncDispose]() {
      const config = { ...ctx.config, server: { ...ctx.config.server, port } };
      server = { ...server, ...(await serve({ ...ctx, config })) };
    },
  };
}

it('every screen says when the server is away, goes on when it is back, and shows no error', async () => {
  // Each in a context of its own: pages of one context share a few connections.
  const pages = await Promise.all(
    SCREENS.map(async (title) => {
      const at = title.toLowerCase();
      const opened = await openConsole(browser(), server.origin, { at });
      opened.page.setDefaultTimeout(20_000);
      await shown(opened.page, title);
      return { ...opened, title };
    }),
  );
  await (async () => {
    await using _away = await away();
    for (const { page } of pages) await page.getByText(NOTICE).waitFor();
    await tell('The parrot is green.');
  })();
  for (const { page, title } of pages) {
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
    await shown(page, title);
    expect(await page.getByRole('alert').allTextContents(), title).toEqual([]);
    await page.context().close();
  }
});

it('while the server is away, a screen that was not opened before opens, and fills when the server is back', async () => {
  await using opened = await openConsole(browser(), server.origin, { at: 'live' });
  const { page } = opened;
  page.setDefaultTimeout(20_000);
  await shown(page, 'Live');
  await page.waitForLoadState('networkidle');
  await page.evaluate('window.isSamePage = true');
  await (async () => {
    await using _away = await away();
    await page.getByText(NOTICE).waitFor();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor();
  })();
  await page.getByText(NOTICE).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('alert').count(), { timeout: PATIENCE }).toBe(0);
  await page.locator('ul[aria-label="sms"] button').first().waitFor();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});
