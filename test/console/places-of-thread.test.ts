import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole } from '../support/console/console.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

/** Twenty pages of turns: the first, the middle and the last ones are some ten of them. */
const TURNS = 1_000;
const IMPORT = `mutation ($input: ImportConversationInput!) {
  importConversation(input: $input) { ... on ImportPayload { stored } } }`;

const browser = useBrowser();
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  const begin = Date.parse('2026-03-01T00:00:00Z');
  const turns = Array.from({ length: TURNS }, (_, index) => ({
    speaker: index % 2 ? 'Assistant' : 'Ada',
    text: `Said as number ${index + 1}.`,
    occurredAt: new Date(begin + index * 60_000).toISOString(),
  }));
  const input = { self: 'Ada', conversation: { id: 'long', title: 'A long thread' }, turns };
  await server.post({ query: IMPORT, variables: { input } });
});
afterAll(() => server[Symbol.asyncDispose]());

const said = (page: Page, number: RegExp) =>
  page
    .getByLabel('Turns')
    .getByText(new RegExp(`^Said as number ${number.source}\\.`))
    .first();
const scrollTo = (page: Page, share: number) =>
  page
    .getByLabel('Turns')
    .evaluate((region, part) => region.scrollTo(0, region.scrollHeight * part), share);

it('of a thread of 1,000 turns, only the pages around the places that are looked at are read and drawn', async () => {
  await using opened = await openConsole(browser(), server.origin, { at: 'timeline' });
  const { page } = opened;
  const read = new Set<number>();
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('query TimelineTurns')) read.add(JSON.parse(body).variables.from);
  });
  await page.getByRole('button', { name: 'A long thread' }).last().click();
  await said(page, /1/).waitFor();
  await scrollTo(page, 0.5);
  await said(page, /(?:4[5-9]|5[0-4])\d/).waitFor();
  await expect
    .poll(async () => {
      await scrollTo(page, 1);
      return await said(page, /1000/).count();
    })
    .toBe(1);
  expect([...read]).toEqual(expect.arrayContaining([1, 951]));
  expect(read.size).toBeLessThanOrEqual(12);
  expect(await page.getByLabel('Turns').locator('article').count()).toBeLessThan(300);
  expect(opened.complaints).toEqual([]);
});
