import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/auth/api-keys.ts';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, shown, signIn } from '../support/console/console.ts';
import { oneByOne } from '../support/console/one-by-one.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

const OTHER_SCREENS = [
  'Timeline',
  'Links',
  'Facts',
  'Episodes',
  'Recall',
  'Profile',
  'Linking',
  'Operations',
  'Privacy',
];

const browser = useBrowser();
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
  for (const [userId, text] of [
    ['ana', 'The kettle of Ana is copper.'],
    ['bea', 'The lighthouse of Bea is striped.'],
  ] as const) {
    const user = await server.world.user(userId);
    const input = { channel: 'sms', turns: [{ role: 'USER', text }] };
    const query = 'mutation ($input: RememberInput!) { remember(input: $input) { __typename } }';
    await user.post({ query, variables: { input } });
  }
  await server.world.settle();
});
afterAll(() => server[Symbol.asyncDispose]());

const remembered = (page: Page) =>
  page.locator('[data-event]').filter({ hasText: 'turns remembered' }).first();

it('a wrong key is refused, and a right one opens the screen that was asked for', async () => {
  await using opened = await openConsole(browser(), server.origin, { at: 'live?user=ana' });
  const { page } = opened;
  await signIn(page, 'wrong');
  await page.getByText('The server does not accept this key or token.').waitFor();
  const { secret } = await createApiKey(server.world.ctx, 'console');
  await signIn(page, secret);
  await shown(page, 'Live');
  await remembered(page).waitFor();
  expect(page.url()).not.toContain(secret);
  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
  expect(stored).not.toContain(secret);
});

it('a user token opens its own memory, whatever user the address names', async () => {
  const secret = await userToken('ana');
  await using opened = await openConsole(browser(), server.origin, {
    at: 'live?user=bea',
    secret,
  });
  const { page, complaints } = opened;
  await shown(page, 'Live');
  await remembered(page).waitFor();
  expect(await page.content()).not.toMatch(/bea|lighthouse/i);
  await page.goto(`${server.origin}/console/timeline?user=bea`);
  await signIn(page, secret);
  await shown(page, 'Timeline');
  for (const name of OTHER_SCREENS) {
    await page.getByRole('link', { name, exact: true }).click();
    await shown(page, name);
    expect(await page.content(), name).not.toMatch(/bea|lighthouse/i);
  }
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});

it('an API key for all chooses whose memory to open', async () => {
  const { secret } = await createApiKey(server.world.ctx, 'all');
  await using opened = await openConsole(browser(), server.origin, { secret });
  const { page } = opened;
  await page.getByLabel('Name contains').fill('be');
  await expect.poll(() => page.getByRole('button', { name: /turn/ }).count()).toBe(1);
  await page.getByRole('button', { name: 'bea 1 turn' }).click();
  await page.waitForURL('**/live?user=bea');
  await remembered(page).waitFor();
  await page.getByRole('button', { name: 'bea' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'ana 1 turn' }).click();
  await page.waitForURL('**/live?user=ana');
});

it('of many memories the next ones are shown on demand', async () => {
  const { secret } = await createApiKey(server.world.ctx, 'many');
  await using opened = await openConsole(browser(), server.origin);
  const { page } = opened;
  await oneByOne(page, 'users(first: 50');
  await signIn(page, secret);
  const memories = page.getByRole('button', { name: /1 turn$/ });
  await memories.first().waitFor();
  expect(await memories.count()).toBe(1);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => memories.count()).toBe(2);
});

it('a memory that is opened while the server is away is followed once it is back', async () => {
  const { secret } = await createApiKey(server.world.ctx, 'away');
  await using opened = await openConsole(browser(), server.origin, { at: 'live?user=bea', secret });
  const { page } = opened;
  await remembered(page).waitFor();
  await page.getByRole('button', { name: 'bea' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'ana 1 turn' }).click();
  await page.waitForURL('**/live?user=ana');
  await page.route('**/graphql', (route) => route.abort());
  await page.goBack();
  const away = page.getByText('The server does not answer. Trying again');
  await away.waitFor();
  await page.unroute('**/graphql');
  await away.waitFor({ state: 'detached', timeout: 30_000 });
  await page.locator('[data-event]').first().waitFor({ timeout: 30_000 });
});

it('a server that is away before somebody signs in, or while they do, is said to be away', async () => {
  const { secret } = await createApiKey(server.world.ctx, 'early');
  await using opened = await openConsole(browser(), server.origin, { at: 'live?user=ana' });
  const { page } = opened;
  const away = page.getByText('The server does not answer. Trying again');
  const leave = () => page.route('**/graphql', (route) => route.abort());
  const comeBack = async () => {
    await page.unroute('**/graphql');
    await away.waitFor({ state: 'detached', timeout: 30_000 });
  };
  await page.getByLabel('API key or token').waitFor();
  await leave();
  await page.reload();
  await away.waitFor();
  await comeBack();
  await page.getByLabel('API key or token').waitFor();
  await leave();
  await signIn(page, secret);
  await away.waitFor();
  await comeBack();
  await shown(page, 'Live');
});

it('a revoked key ends the session at once', async () => {
  const { secret, key } = await createApiKey(server.world.ctx, 'gone');
  await using opened = await openConsole(browser(), server.origin, {
    at: 'live?user=ana',
    secret,
  });
  const { page } = opened;
  await shown(page, 'Live');
  await revokeApiKey(server.world.ctx, key.id);
  await page.getByLabel('API key or token').waitFor();
  expect(await page.content()).not.toContain('kettle');
});
