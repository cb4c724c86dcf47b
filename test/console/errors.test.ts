import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, shown } from '../support/console/console.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

/** Each screen with the queries that it sends when it is opened, and what it shows once they are answered. */
const SCREENS = [
  { name: 'Live', queries: ['PastEvents', 'LiveActivity', 'Backlog'], content: '[data-event]' },
  { name: 'Timeline', queries: ['TimelineThreads'], content: 'main li time' },
  { name: 'Links', queries: ['LinkList'], content: 'text=No link is like this.' },
  { name: 'Facts', queries: ['FactList'], content: 'text=No fact is known' },
  {
    name: 'Episodes',
    queries: ['EpisodeList', 'LatestEpisode'],
    content: 'text=No conversation has ended yet.',
  },
  {
    name: 'Recall',
    at: 'recall?q=copper',
    queries: ['RecallInConsole', 'PromptInConsole'],
    content: 'ol[aria-label="Hits"] button',
  },
  {
    name: 'Profile',
    queries: ['ProfileVersions', 'Pyramid'],
    content: 'text=There is no profile yet.',
  },
  { name: 'Linking', queries: ['Linking'], content: 'text=Nothing was tuned yet.' },
  {
    name: 'Operations',
    queries: ['Deployment', 'JobList', 'Usage', 'InForce'],
    content: 'text=a thread is idle after',
  },
  { name: 'Keys', queries: ['KeyList'], content: 'text=There is no key yet.' },
  {
    name: 'Privacy',
    at: 'privacy?words=copper',
    queries: ['ForgetCandidates'],
    content: 'main button:text("See what goes")',
  },
];
const REFUSAL = 'The kettle has boiled dry.';

const browser = useBrowser();
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  server.world.now = new Date();
  await say(server.world.client(), { channel: 'sms', turns: [{ text: 'The kettle is copper.' }] });
  await server.world.settle();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Answers queries of these names with an error, until it is ended. @returns the names of those that were refused */
async function refuse(page: Page, names: readonly string[]) {
  const refused = new Set<string>();
  const errors = [{ message: REFUSAL, extensions: { code: 'BAD_USER_INPUT' } }];
  await page.route('**/graphql', (route) => {
    const [, name = ''] = /query (\w+)/.exec(route.request().postData() ?? '') ?? [];
    if (!names.includes(name)) return route.continue();
    refused.add(name);
    return route.fulfill({ json: { errors } });
  });
  return { refused, end: () => page.unroute('**/graphql') };
}

it.each(SCREENS)(
  '$name says what went wrong, and is complete when it is tried again',
  async (screen) => {
    const { name, at = name.toLowerCase(), queries, content } = screen;
    await using opened = await openConsole(browser(), server.origin, { at: 'keys' });
    const { page } = opened;
    const { refused, end } = await refuse(page, queries);
    await page.goto(`${server.origin}/console/${at}`);
    await expect.poll(() => [...refused].sort()).toEqual([...queries].sort());
    await shown(page, name);
    const alerts = page.getByRole('alert').filter({ hasText: REFUSAL });
    expect(await alerts.count()).toBeGreaterThanOrEqual(queries.length);
    await end();
    for (let left = await alerts.count(); left > 0; left = await alerts.count()) {
      await alerts.first().getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => alerts.count()).toBeLessThan(left);
    }
    await page.locator(content).first().waitFor();
    await shown(page, name);
  },
);

it('every screen says that it is not live any more, and is when it is tried again', async () => {
  await using opened = await openConsole(browser(), server.origin, { at: 'keys' });
  const { page } = opened;
  let refusing = true;
  await page.routeWebSocket('**/graphql', (socket) => {
    if (!refusing) return void socket.connectToServer();
    socket.onMessage((message) => {
      const { id, type } = JSON.parse(String(message));
      const payload = [{ message: REFUSAL, extensions: { code: 'CURSOR_EXPIRED' } }];
      if (type === 'connection_init') socket.send(JSON.stringify({ type: 'connection_ack' }));
      if (type === 'subscribe') socket.send(JSON.stringify({ id, type: 'error', payload }));
    });
  });
  await page.reload();
  const notLive = page.getByRole('alert').filter({ hasText: 'not live any more' });
  for (const { name } of SCREENS) {
    await page.getByRole('link', { name, exact: true }).click();
    await shown(page, name);
    await notLive.getByText(REFUSAL).waitFor();
  }
  refusing = false;
  await notLive.getByRole('button', { name: 'Try again' }).click();
  await notLive.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await say(server.world.client(), { channel: 'sms', turns: [{ text: 'The kettle sings.' }] });
  const rows = page.locator('[data-event]').filter({ hasText: 'turns remembered' });
  await expect.poll(() => rows.count()).toBe(2);
});
