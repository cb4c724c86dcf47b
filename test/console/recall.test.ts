import { readFile } from 'node:fs/promises';
import { createMemory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSample } from '../../src/cli/demo/sample.ts';
import { tell } from '../../src/cli/demo/tell.ts';
import { useBrowser } from '../support/browser.ts';
import { expectAccessible, openConsole, shown } from '../support/console.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const SAMPLE = new URL('../../examples/sample-conversation.json', import.meta.url);
const PORTO = 'recall?q=What%20does%20Tom%C3%A1s%20eat%3F';

const browser = useBrowser();
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  const sample = readSample(await readFile(SAMPLE, 'utf8'), 'the sample');
  for await (const _told of tell(createMemory({ url: server.origin }), sample));
  await server.world.settle();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const open = (at: string, theme: 'light' | 'dark' = 'light') =>
  openConsole(browser(), server.origin, { at, colorScheme: theme });

it('a recall shows its hits with their scores, its stages, and the prompt by sections', async () => {
  await using opened = await open('recall');
  const { page, complaints } = opened;
  await shown(page, 'Recall');
  await page.getByRole('searchbox', { name: 'Query' }).fill('What does Tomás eat?');
  await page.keyboard.press('Enter');
  const first = page.getByRole('list', { name: 'Hits' }).getByRole('button').first();
  await first.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'bm25' }).waitFor();
  await page.getByRole('row', { name: /^candidates/ }).waitFor();
  await page.getByRole('img', { name: /of 4000 tokens/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('What does Tomás eat?');
  await expectAccessible(page);
  await opened.picture('recall');
  expect(complaints).toEqual([]);
});

it('two runs stand side by side, and the second says what moved', async () => {
  await using opened = await open(PORTO, 'dark');
  const { page } = opened;
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByLabel('Kind').selectOption('TURN');
  await expect.poll(() => page.getByText(/same rank|up from|new/).count()).toBeGreaterThan(0);
  expect(await page.getByRole('list', { name: 'Hits' }).count()).toBe(2);
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('heading', { name: 'Held' }).waitFor();
});

it('a turn that was expected says what kept it out of the hits', async () => {
  await using opened = await open(`${PORTO}&first=5`);
  const { page } = opened;
  await page.getByLabel('Words of the turn that you expected').fill('the blood test of Biscuit');
  await page.getByRole('button', { name: 'Find it' }).click();
  await page.getByRole('list', { name: 'Not among the hits' }).getByRole('button').first().click();
  await page.getByText(/It has no word of the query|Its score is below/).waitFor();
});
