import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { useBrowser } from '../support/console/browser.ts';
import { expectAccessible, openConsole, shown, signIn } from '../support/console/console.ts';
import { oneByOne } from '../support/console/one-by-one.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const browser = useBrowser();
let server: TestServer;
let secret: string;
beforeAll(async () => {
  server = await createTestServer();
  ({ secret } = await createApiKey(server.world.ctx, 'console'));
  const user = await server.world.user('ana');
  const input = { channel: 'sms', turns: [{ role: 'USER', text: 'The kettle is copper.' }] };
  const query = 'mutation ($input: RememberInput!) { remember(input: $input) { __typename } }';
  await user.post({ query, variables: { input } });
  await server.world.settle();
});
afterAll(() => server[Symbol.asyncDispose]());

const open = (at: string) =>
  openConsole(browser(), server.origin, { at: `${at}?user=ana`, secret });

it('a dead job says why it died, and is made due again', async () => {
  const { pool } = server.world.ctx.db;
  await pool.query(`
    INSERT INTO jobs (user_id, step, subject, attempts, last_error, dead_at)
    VALUES ('ana', 'consolidate', 7, 5, 'The kettle has boiled dry.', now())`);
  await using opened = await open('operations');
  const { page } = opened;
  await shown(page, 'Operations');
  await page.getByText('The kettle has boiled dry.').waitFor();
  await page.getByText('dead jobs').waitFor();
  await page.getByText('Only jobs of this memory.').waitFor();
  await expectAccessible(page);
  await opened.picture('Operations-dead');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect
    .poll(async () => {
      const { rows } = await pool.query(`SELECT dead_at FROM jobs WHERE step = 'consolidate'`);
      return rows.every(({ dead_at }) => dead_at === null);
    })
    .toBe(true);
});

it('a long queue says of how many jobs the oldest are shown', async () => {
  await server.world.ctx.db.pool.query(`
    INSERT INTO jobs (user_id, step, subject) VALUES ('ana', 'consolidate', 8), ('ana', 'consolidate', 9)`);
  await using opened = await openConsole(browser(), server.origin, { at: 'operations?user=ana' });
  const { page } = opened;
  await oneByOne(page, 'jobs(first: 100');
  await signIn(page, secret);
  await page.getByText('Of the 1 oldest job.').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('Of the 2 oldest jobs.').waitFor();
});

it('tokens of models are shown by day and by step', async () => {
  await server.world.ctx.db.pool.query(`
    INSERT INTO model_usage (user_id, day, step, model, calls, prompt_tokens, completion_tokens, cached_tokens)
    VALUES ('ana', CURRENT_DATE, 'describe-segment', 'a-model', 3, 1200, 340, 0)`);
  await using opened = await open('operations');
  const { page } = opened;
  await page.getByRole('row', { name: /describe-segment a-model 3 1,200 0 340/ }).waitFor();
});

it('a key is made, its secret shown once, rotated and revoked', async () => {
  await using opened = await open('keys');
  const { page } = opened;
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('the kitchen');
  await dialog.getByLabel('It permits').selectOption('READ');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  const made = (await dialog.locator('code').textContent()) ?? '';
  expect(made.length).toBeGreaterThan(20);
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /the kitchen/ });
  await row.getByText('valid').waitFor();
  await row.getByText('never').waitFor();
  const own = page.getByRole('row', { name: /^console all users/ });
  const today = server.world.now.toISOString().slice(0, 10);
  expect(await own.locator('time').last().getAttribute('title')).toContain(today);
  expect(await page.content()).not.toContain(made);
  await expectAccessible(page);
  await opened.picture('Keys');
  await row.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByRole('button', { name: 'Make a new secret' }).click();
  expect(await dialog.locator('code').textContent()).not.toBe(made);
  await page.keyboard.press('Escape');
  await row.getByText('the former secret works until').waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await row.getByText(/^revoked/).waitFor();
});

it('the first key of an open server is used by the tab from then on', async () => {
  await using other = await createTestServer(OPEN);
  await using opened = await openConsole(browser(), other.origin, { at: 'keys' });
  const { page } = opened;
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('first');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await dialog.locator('code').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /first/ }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('user')).toBe('local');
});
