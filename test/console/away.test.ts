import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { shown } from '../support/console/console.ts';
import { serveFullMemory } from '../support/console/full-console.ts';

/** Each screen that asks when it is opened, with what it shows of the memory. Live: live.test.ts. */
const SCREENS = [
  ['Timeline', 'main li time'],
  ['Links', 'svg[aria-label*="links between"] path'],
  ['Facts', 'main li button'],
  ['Episodes', 'li button[aria-pressed]'],
  ['Profile', 'main ol rect'],
  ['Linking', 'svg[aria-label*="Error rates"] path'],
  ['Operations', 'main table, main dl'],
  ['Keys', 'main section p'],
] as const;
/** These ask nothing before something is entered. */
const FORMS = ['Recall', 'Privacy'];

const browser = useBrowser();
let memory: Awaited<ReturnType<typeof serveFullMemory>>;
beforeAll(async () => {
  memory = await serveFullMemory(browser);
}, 120_000);
afterAll(() => memory[Symbol.asyncDispose]());

it('a screen that is opened while the server is away says so, and is complete once it is back', {
  timeout: 240_000,
}, async () => {
  await using opened = await memory.open('live');
  const { page } = opened;
  await shown(page, 'Live');
  const away = page.getByText('The server does not answer. Trying again');
  for (const [name, content] of SCREENS) {
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await away.waitFor();
    await page.unroute('**/graphql');
    await away.waitFor({ state: 'detached', timeout: 30_000 });
    await shown(page, name);
    await page.locator(content).first().waitFor({ state: 'attached' });
    expect(await page.getByRole('alert').allTextContents(), name).toEqual([]);
  }
  await page.route('**/graphql', (route) => route.abort());
  for (const name of FORMS) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.locator('main form').first().waitFor();
  }
});
