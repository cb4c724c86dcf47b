import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { useBrowser } from '../support/console/browser.ts';
import { shown } from '../support/console/console.ts';
import { serveFullMemory } from '../support/console/full-console.ts';

const browser = useBrowser();
let memory: Awaited<ReturnType<typeof serveFullMemory>>;
let secret: string;
beforeAll(async () => {
  memory = await serveFullMemory(browser);
  const { ctx } = memory.world;
  ({ secret } = await createApiKey(ctx, 'reader', { userId: 'alex', access: 'READ' }));
}, 120_000);
afterAll(() => memory[Symbol.asyncDispose]());

/** Screens with a way to change something, what to choose there, and what to press. */
const CHANGES = [
  { name: 'Timeline', chosen: 'li button[aria-pressed]', press: 'Close thread' },
  { name: 'Links', chosen: 'main li button', press: 'Wrong' },
  { name: 'Facts', chosen: 'main li button', press: 'Retract' },
  { name: 'Episodes', chosen: 'li button[aria-pressed]', press: 'Built on' },
  { name: 'Profile', chosen: 'main li button', press: 'Write it anew' },
];

it.each(CHANGES)(
  '$name shows all to a key that only reads, and says why it changes nothing',
  async ({ name, chosen, press }) => {
    const at = name === 'Episodes' ? 'episodes?capture=CREATED' : name.toLowerCase();
    await using opened = await memory.open(at, { secret });
    const { page } = opened;
    await shown(page, name);
    await page.getByText('read only').waitFor();
    await page.locator(chosen).first().click();
    await page.getByRole('button', { name: press }).click();
    await page.getByRole('alert').getByText('This API key may only read').waitFor();
  },
);

it('a key that only reads is told who manages keys', async () => {
  await using opened = await memory.open('keys', { secret });
  const { page } = opened;
  await page.getByText('Keys are managed with an API key that has full access').waitFor();
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
});
