import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole } from '../support/console/console.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';
import type { Client } from '../support/world.ts';

const TURNS = 4_000;
const IMPORT = `mutation ($input: ImportConversationInput!) {
  importConversation(input: $input) { ... on ImportPayload { stored } } }`;

const browser = useBrowser();
let server: TestServer;
let local: Client;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  server.world.now = new Date('2026-03-10T09:00:00Z');
  local = server.world.client();
  const begin = Date.parse('2026-03-01T00:00:00Z');
  const turns = Array.from({ length: TURNS }, (_, index) => ({
    speaker: index % 2 ? 'Assistant' : 'Ada',
    text: `Said as number ${index + 1}. ${'More words. '.repeat(index % 40)}`,
    occurredAt: new Date(begin + index * 60_000).toISOString(),
  }));
  const conversation = { id: 'long', title: 'A long thread' };
  await local.post({
    query: IMPORT,
    variables: { input: { self: 'Ada', conversation, turns } },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

async function openThread() {
  const opened = await openConsole(browser(), server.origin, { at: 'timeline' });
  const { page } = opened;
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('query TimelineTurns')) reads.push(request.postData() ?? '');
  });
  await page.getByRole('button', { name: 'A long thread' }).last().click();
  await said(page, 1).waitFor();
  return { ...opened, reads, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] };
}

const said = (page: Page, number: number) =>
  page.getByLabel('Turns').getByText(`Said as number ${number}.`);
const scrollTo = (page: Page, share: number) =>
  page
    .getByLabel('Turns')
    .evaluate((region, part) => region.scrollTo(0, region.scrollHeight * part), share);

it('the middle and the end of a long thread are there at once, and what is between is neither read nor kept', async () => {
  await using opened = await openThread();
  const { page, reads, complaints } = opened;
  await scrollTo(page, 0.5);
  const middle = page.getByLabel('Turns').getByText(/^Said as number (19|20)\d\d\./);
  await middle.first().waitFor();
  await scrollTo(page, 1);
  await expect
    .poll(async () => {
      await scrollTo(page, 1);
      return await said(page, TURNS).count();
    })
    .toBe(1);
  expect(reads.length).toBeLessThan(15);
  expect(await page.getByLabel('Turns').locator('article').count()).toBeLessThan(300);
  expect(complaints).toEqual([]);
});

it('who scrolls fast reads only where the scrolling ends', async () => {
  await using opened = await openThread();
  const { page, reads } = opened;
  // No time passes while somebody scrolls this fast.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const before = reads.length;
  await page.evaluate(`(async () => {
    const region = document.querySelector('[aria-label="Turns"]');
    for (let step = 0; step < 60; step += 1) {
      const scrolled = new Promise((done) => region.addEventListener('scroll', done, { once: true }));
      region.scrollBy(0, region.scrollHeight / 80);
      await scrolled;
    }
  })()`);
  expect(reads.length).toBe(before);
  await page.clock.resume();
  await page
    .getByLabel('Turns')
    .getByText(/^Said as number (29|3\d)\d\d\./)
    .first()
    .waitFor();
  expect(reads.length - before).toBeLessThan(10);
});

it('each turn stands once and in its order, whatever the heights', async () => {
  await using opened = await openThread();
  const { page } = opened;
  const seen = new Set<number>();
  const visible = () =>
    page
      .getByLabel('Turns')
      .locator('article')
      .evaluateAll((turns) =>
        turns
          .map((turn) => ({
            top: turn.getBoundingClientRect().top,
            number: Number(/number (\d+)\./.exec(turn.textContent ?? '')?.[1]),
          }))
          .sort((a, b) => a.top - b.top)
          .map(({ number }) => number),
      );
  await expect
    .poll(
      async () => {
        const numbers = await visible();
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        expect(new Set(numbers).size).toBe(numbers.length);
        for (const number of numbers) seen.add(number);
        await page.getByLabel('Turns').evaluate((region) => region.scrollBy(0, 600));
        return seen.has(300);
      },
      { timeout: 60_000, interval: 30 },
    )
    .toBe(true);
  const missing = Array.from({ length: 300 }, (_, index) => index + 1).filter(
    (number) => !seen.has(number),
  );
  expect(missing).toEqual([]);
});

it('a turn that is said while the end is open appears there', async () => {
  await using opened = await openThread();
  const { page } = opened;
  await expect
    .poll(async () => {
      await scrollTo(page, 1);
      return await said(page, TURNS).count();
    })
    .toBe(1);
  const { body } = await local.post({
    query: '{ viewer { threads(first: 1) { edges { node { id } } } } }',
  });
  const { viewer } = body.data as unknown as {
    viewer: { threads: { edges: [{ node: { id: string } }] } };
  };
  await say(local, {
    channel: 'import',
    threadId: viewer.threads.edges[0].node.id,
    turns: [{ text: `Said as number ${TURNS + 1}.` }],
  });
  await expect
    .poll(async () => {
      await scrollTo(page, 1);
      return await said(page, TURNS + 1).count();
    })
    .toBe(1);
});
