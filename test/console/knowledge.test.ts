import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { expectAccessible, PATIENCE, shown } from '../support/console.ts';
import { serveFullMemory } from '../support/full-console.ts';

const QUESTION = 'recall?q=Where%20are%20the%20vectors%20kept%3F';

const browser = useBrowser();
let memory: Awaited<ReturnType<typeof serveFullMemory>>;
beforeAll(async () => {
  memory = await serveFullMemory(browser);
}, 60_000);
afterAll(() => memory[Symbol.asyncDispose]());

it('a recall shows its hits with their scores, its stages, and the prompt by sections', async () => {
  await using opened = await memory.open('recall');
  const { page } = opened;
  await shown(page, 'Recall');
  await page.getByRole('searchbox', { name: 'Query' }).fill('Where are the vectors kept?');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Hits', exact: true }).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'bm25' }).waitFor();
  await page.getByRole('row', { name: /^candidates/ }).waitFor();
  await page.getByRole('img', { name: /of 4000 tokens/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('Where are the vectors kept?');
});

it('two runs stand side by side, and the second says what moved', async () => {
  await using opened = await memory.open(QUESTION, { colorScheme: 'dark' });
  const { page } = opened;
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('TURN');
  await expect
    .poll(() => page.getByText(/^(same rank|up from|new)/).count(), { timeout: PATIENCE })
    .toBeGreaterThan(0);
  expect(await page.getByRole('list', { name: 'Hits', exact: true }).count()).toBe(2);
  await expectAccessible(page);
  await opened.picture('Recall-compared');
  await page.goBack();
  await page.getByRole('heading', { name: 'Held' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('');
});

it('a turn that was expected says what kept it out of the hits', async () => {
  await using opened = await memory.open(`${QUESTION}&first=5`);
  const { page } = opened;
  await page.getByLabel('Words of the turn that you expected').fill('the old Volvo');
  await page.getByRole('button', { name: 'Find it' }).click();
  const turns = page.getByRole('list', { name: 'Not among the hits' });
  await turns.getByRole('button', { name: /Volvo/ }).first().click();
  await page.getByText(/It has no word of the query|Its score is below/).waitFor();
});

it('an episode that was rated by hand has a review, and its curve begins anew', async () => {
  await using opened = await memory.open('episodes?capture=CREATED');
  const { page } = opened;
  await page.locator('li button[aria-pressed]').first().click();
  const curve = page.getByRole('img', { name: /^Forgetting curve/ });
  const before = await curve.getAttribute('aria-label');
  await page.getByRole('button', { name: 'Built on' }).click();
  await page.getByText('by hand').waitFor();
  await expect.poll(() => curve.getAttribute('aria-label')).not.toBe(before);
  await page
    .getByRole('button', { name: /^Week of .* turns/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'All weeks' }).waitFor();
  expect(new URL(page.url()).searchParams.get('week')).toMatch(/^20/);
});

it('from the profile one walks down to the turns', async () => {
  await using opened = await memory.open('profile');
  const { page } = opened;
  await page.locator('li button[aria-expanded]').first().click();
  await page.getByRole('list', { name: 'Its episodes' }).getByRole('link').first().click();
  await shown(page, 'Episodes');
  await page.getByRole('heading', { name: 'Its turns, word for word' }).waitFor();
  expect(await page.locator('article').count()).toBeGreaterThan(0);
});

it('a tuning run says what it changed, and is rolled back', async () => {
  await using opened = await memory.open('linking');
  const { page } = opened;
  await page.getByRole('img', { name: /^Error rates at 2 thresholds/ }).waitFor();
  await page.getByRole('button', { name: 'Roll back' }).click();
  await page.getByText('rolled back', { exact: true }).waitFor();
});
