import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, PATIENCE, shown } from '../support/console/console.ts';
import { startPrefixProxy } from '../support/network/prefix-proxy.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

/** More tabs than connections that a browser opens to one host over HTTP/1.1. */
const TABS = 8;

const browser = useBrowser();
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  server.world.now = new Date();
});
afterAll(() => server[Symbol.asyncDispose]());

const tell = (text: string) => say(server.world.client(), { channel: 'sms', turns: [{ text }] });
const rowsOf = (page: Page) =>
  page.locator('[data-event]').filter({ hasText: 'turns remembered' }).count();

it('as many tabs as one likes follow the memory', async () => {
  await tell('Told before.');
  await using opened = await openConsole(browser(), server.origin, { at: 'live' });
  const others = Array.from({ length: TABS - 1 }, async () => {
    const page = await opened.page.context().newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${server.origin}/console/live`);
    return page;
  });
  const pages = [opened.page, ...(await Promise.all(others))];
  for (const page of pages) await shown(page, 'Live');
  await tell('Told to all.');
  for (const page of pages) await expect.poll(() => rowsOf(page)).toBe(2);
  expect(opened.complaints).toEqual([]);
});

it('behind a proxy that lets no WebSocket through, the page is live over HTTP and never away', async () => {
  await using proxy = await startPrefixProxy(server.origin, '/memory', false);
  await using opened = await openConsole(browser(), proxy.origin, {
    prefix: '/memory',
    at: 'live',
  });
  const { page } = opened;
  await shown(page, 'Live');
  const before = await rowsOf(page);
  await tell('Told past the proxy.');
  await expect.poll(() => rowsOf(page)).toBe(before + 1);
  expect(await page.getByText('The server does not answer.').count()).toBe(0);
});
