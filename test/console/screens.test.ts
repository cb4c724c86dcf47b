import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { expectAccessible, shown } from '../support/console/console.ts';
import { serveFullMemory } from '../support/console/full-console.ts';
import { reach } from '../support/console/reach.ts';
import { drawn, screensOf } from '../support/console/screens.ts';

const QUESTION = 'recall?q=Where%20are%20the%20vectors%20kept%3F';

const SCREENS = screensOf({ question: 'Where are the vectors kept?', channel: 'sms' });

const browser = useBrowser();
let memory: Awaited<ReturnType<typeof serveFullMemory>>;
beforeAll(async () => {
  memory = await serveFullMemory(browser);
  // Work that is left, and models that were asked.
  await memory.world.ctx.db.pool.query(`
    INSERT INTO jobs (user_id, step, run_at) VALUES ('alex', 'consolidate', now() - interval '1 hour')
    ON CONFLICT DO NOTHING`);
  await memory.world.ctx.db.pool.query(`
    INSERT INTO model_usage (user_id, day, step, model, calls, prompt_tokens, completion_tokens, cached_tokens)
    VALUES ('alex', CURRENT_DATE, 'describe-segment', 'a-model', 3, 1200, 340, 0)`);
}, 120_000);
afterAll(() => memory[Symbol.asyncDispose]());

const open = (at: string, options: object = {}) => memory.open(at, options);

/** The server refuses the question who asks, until the token is entered. */
const expectNoComplaint = (complaints: string[]) =>
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);

it.each(SCREENS)(
  '$name draws its picture, is accessible in light and dark, and fits a narrow screen',
  async (screen) => {
    const { name, at } = screen;
    await using opened = await open(at, { colorScheme: 'light' });
    const { page, complaints } = opened;
    await drawn(page, screen);
    await expectAccessible(page);
    await opened.picture(`${name}-light`);

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    await expectAccessible(page);
    await opened.picture(`${name}-dark`);
    expectNoComplaint(complaints);

    await page.setViewportSize({ width: 390, height: 800 });
    await shown(page, name);
    const wider = await page.evaluate(
      'Math.max(document.documentElement.scrollWidth, document.querySelector("main").scrollWidth) - window.innerWidth',
    );
    expect(wider).toBeLessThanOrEqual(0);
    await opened.picture(`${name}-narrow`);
  },
);

it('the keyboard alone leads to a screen, opens a thread and closes it', async () => {
  await using opened = await open('live');
  const { page } = opened;
  await shown(page, 'Live');
  await reach(page, /^Timeline$/);
  await page.keyboard.press('Enter');
  await shown(page, 'Timeline');
  await reach(page, /^Tap/);
  await page.keyboard.press('Enter');
  await page.getByLabel('Turns').waitFor();
  await page.getByText('ended by the end of the talk').first().waitFor();
  await reach(page, /^Turns$/);
  await reach(page, /^Close view$/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Choose a thread to read it').waitFor();
});

it('facts are as of the times of both sliders, and can be corrected in place', async () => {
  await using opened = await open('facts?search=Porto');
  const { page } = opened;
  const facts = page.locator('main li button');
  await facts.filter({ hasText: 'Porto' }).first().waitFor();
  await page.getByLabel('True at').press('Home');
  await page.getByText('No fact is like this.').waitFor();
  expect(new URL(page.url()).searchParams.get('at')).toMatch(/^20/);
  await page.getByLabel('True at').press('End');
  await facts.filter({ hasText: 'Porto' }).first().waitFor();
  await page.getByLabel('Known at').press('Home');
  await page.getByText('No fact is like this.').waitFor();
  expect(new URL(page.url()).searchParams.get('known')).toMatch(/^20/);
  await page.getByLabel('Known at').press('End');
  await facts.filter({ hasText: 'Porto' }).first().click();
  await page.getByRole('button', { name: 'Correct' }).click();
  await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('Porto, near the river');
  await page.getByRole('dialog').getByRole('button', { name: 'Record' }).click();
  const table = page.locator('table').filter({ hasText: 'Porto, near the river' });
  await table.waitFor();
  await page.getByRole('button', { name: 'Retract' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'Retract' }).waitFor();
});

it('a link shows what decided it, and is rated in place', async () => {
  await using opened = await open('links?verdict=LINK&outcome=UNKNOWN');
  const { page } = opened;
  const link = page.locator('main li button').first();
  await link.waitFor();
  expect(await link.getByText(/^(sms|web)$/).count()).toBe(2);
  const dots = page.getByRole('button', { name: /^Links of .* \((sms|web)\)$/ });
  expect(await dots.count()).toBeGreaterThanOrEqual(2);
  await link.click();
  await page.getByRole('img', { name: /Algorithmic score 0\.\d+, threshold 0\.\d+/ }).waitFor();
  await page.getByRole('button', { name: 'Read both threads side by side' }).click();
  await expect.poll(() => page.getByRole('dialog').getByLabel('Turns').count()).toBe(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Wrong' }).click();
  await page.getByRole('button', { name: 'Wrong', pressed: true }).waitFor();
});

it('the time of a row is in the zone of the user, with UTC on hover', async () => {
  await using opened = await open('timeline');
  const { page } = opened;
  await shown(page, 'Timeline');
  const time = page.locator('main li time').first();
  const at = new Date((await time.getAttribute('datetime')) ?? '');
  expect(await time.getAttribute('title')).toBe(
    `${at.toISOString().replace('T', ' ').slice(0, 19)} UTC`,
  );
  const lisbon = at.toLocaleTimeString('en-US', { timeZone: 'Europe/Lisbon', timeStyle: 'short' });
  await expect
    .poll(async () => (await time.textContent())?.replaceAll('\u202f', ' '))
    .toContain(lisbon.replaceAll('\u202f', ' '));
});

it('a recall shows its hits with their scores, its stages, and the prompt by sections', async () => {
  await using opened = await open('recall');
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
  await using opened = await open(QUESTION, { colorScheme: 'dark' });
  const { page } = opened;
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('TURN');
  await expect.poll(() => page.getByText(/^(same rank|up from|new)/).count()).toBeGreaterThan(0);
  expect(await page.getByRole('list', { name: 'Hits', exact: true }).count()).toBe(2);
  await expectAccessible(page);
  await opened.picture('Recall-compared');
  await page.goBack();
  await page.getByRole('heading', { name: 'Held' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('');
});

it('a turn that was expected says what kept it out of the hits', async () => {
  await using opened = await open(`${QUESTION}&first=5`);
  const { page } = opened;
  await page.getByLabel('Words of the turn that you expected').fill('the old Volvo');
  await page.getByRole('button', { name: 'Find it' }).click();
  const turns = page.getByRole('list', { name: 'Not among the hits' });
  await turns.getByRole('button', { name: /Volvo/ }).first().click();
  await page.getByText(/It has no word of the query|Its score is below/).waitFor();
});

it('an episode that was rated by hand has a review, and its curve begins anew', async () => {
  await using opened = await open('episodes?capture=CREATED');
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
  await using opened = await open('profile');
  const { page } = opened;
  await page.locator('li button[aria-expanded]').first().click();
  await page.getByRole('list', { name: 'Its episodes' }).getByRole('link').first().click();
  await shown(page, 'Episodes');
  await page.getByRole('heading', { name: 'Its turns, word for word' }).waitFor();
  expect(await page.locator('article').count()).toBeGreaterThan(0);
});

it('a tuning run says what it changed, and is rolled back after a question', async () => {
  await using opened = await open('linking');
  const { page } = opened;
  await page.getByRole('img', { name: /^Error rates at 2 thresholds/ }).waitFor();
  await page.getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back?' });
  await dialog.getByText('What was in force before run 1 is in force again').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByText('rolled back', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Roll back' }).click();
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await page.getByText('rolled back', { exact: true }).waitFor();
});

it('a tuning asks before it begins', async () => {
  await using opened = await open('linking');
  const { page } = opened;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  const tunings = () => sent.filter((body) => body.includes('tuneLinking')).length;
  await page.getByRole('button', { name: 'Tune now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tune now?' });
  await dialog.getByText('are fitted to the rated links').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(tunings()).toBe(0);
  await page.getByRole('button', { name: 'Tune now' }).click();
  await dialog.getByRole('button', { name: 'Tune now' }).click();
  await expect.poll(tunings).toBe(1);
});
