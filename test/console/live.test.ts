import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, shown } from '../support/console/console.ts';
import { RECORD } from '../support/facts.ts';
import { startPrefixProxy } from '../support/network/prefix-proxy.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, OPEN, serve, type TestServer } from '../support/server.ts';
import type { Client } from '../support/world.ts';

const browser = useBrowser();
let server: TestServer;
let local: Client;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  server.world.now = new Date();
  local = server.world.client();
});
afterAll(() => server[Symbol.asyncDispose]());

const CLOSE = 'mutation ($threadId: ID!) { closeThread(threadId: $threadId) { __typename } }';

/** All screens, with what each shows of the hostile words. */
const WITH_WORDS = [
  ['Live', 'live', '<i>title</i>'],
  ['Timeline', 'timeline', '<i>title</i>'],
  ['Links', 'links', ''],
  ['Facts', 'facts', '<b>bold</b> [link](javascript'],
  ['Episodes', 'episodes', '<b>bold</b> [link](javascript'],
  ['Recall', 'recall?q=bold%20stars', '<b>bold</b> [link](javascript'],
  ['Privacy', 'privacy?words=bold', '<b>bold</b> [link](javascript'],
  ['Profile', 'profile', ''],
  ['Linking', 'linking', ''],
  ['Operations', 'operations', ''],
  ['Keys', 'keys', ''],
] as const;

const tell = (text: string, channel = 'sms') => say(local, { channel, turns: [{ text }] });

it('the first run on an open server asks for nothing, and says that there is nothing yet', async () => {
  await using opened = await openConsole(browser(), server.origin);
  const { page, complaints } = opened;
  await shown(page, 'Live');
  expect(new URL(page.url()).pathname).toBe('/console/live');
  await page.getByText('Nothing yet.').waitFor();
  for (const [name, text] of [
    ['Timeline', 'Nothing was said yet.'],
    ['Links', 'No link is like this.'],
    ['Facts', 'No fact is known about this user yet.'],
    ['Episodes', 'No conversation has ended yet.'],
    ['Recall', 'Enter what a person might say or ask.'],
    ['Profile', 'There is no profile yet.'],
    ['Linking', 'There is no such memory yet.'],
    ['Operations', 'Nothing is queued.'],
    ['Keys', 'There is no key yet.'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByText(text).waitFor();
  }
  await page.getByRole('link', { name: 'Privacy' }).click();
  await page.getByLabel('A thread or a fact with these words').fill('zeppelin');
  const none = page.getByText('None has these words.');
  await expect.poll(() => none.count()).toBe(2);
  expect(complaints).toEqual([]);
});

it('an event is a row as soon as it is stored, and can be paused and filtered', async () => {
  await using opened = await openConsole(browser(), server.origin, { at: 'live' });
  const { page, complaints } = opened;
  await shown(page, 'Live');
  await tell('The parrot lives in the kitchen.');
  const rows = page.locator('[data-event]');
  await rows.filter({ hasText: 'turns remembered' }).first().waitFor();
  await page.getByRole('img', { name: /^turns by minute, at most [1-9]/ }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  const before = await rows.count();
  await tell('The parrot is green.');
  await page.getByRole('button', { name: /Go on \([1-9]\d* new\)/ }).waitFor();
  expect(await rows.count()).toBe(before);
  await page.getByRole('button', { name: /Go on/ }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  await page.getByLabel('About').selectOption('facts');
  await expect.poll(() => rows.filter({ hasText: 'turns remembered' }).count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('group')).toBe('facts');
  await page.getByLabel('About').selectOption('');
  await rows.filter({ hasText: 'turns remembered' }).first().getByRole('link').click();
  await shown(page, 'Timeline');
  await page.getByLabel('Turns').getByText('The parrot is green.').waitFor();
  expect(complaints).toEqual([]);
});

it('an event that is about no single thing leads to the screen that shows it', async () => {
  await tell('The kettle hums.');
  await server.world.ctx.memory('local').write(async (memory) => {
    memory.record({ kind: 'LINKING_TUNED', decision: 'linking.tune' });
    memory.record({ kind: 'EPISODES_CONSOLIDATED', decision: 'memory.consolidate' });
  });
  await using opened = await openConsole(browser(), server.origin, { at: 'live' });
  const { page } = opened;
  const rows = page.locator('[data-event]');
  const consolidated = rows.filter({ hasText: 'episodes consolidated' }).first();
  await consolidated.getByRole('link', { name: 'facts' }).click();
  await shown(page, 'Facts');
  await page.goBack();
  await rows.filter({ hasText: 'linking tuned' }).getByRole('link', { name: 'linking' }).click();
  await shown(page, 'Linking');
});

it('words of a memory are shown as text, whatever they contain', async () => {
  const hostile = [
    '<img src=x onerror="window.hacked = true"><script>window.hacked = true</script>',
    '<b>bold</b> [link](javascript:alert(1)) **stars**',
    'العربية \u202Eright to left\u202C and back',
    `${'ha'.repeat(40_000)} end`,
  ];
  // Later than all else, so that it is the first of each list.
  server.world.now = new Date(server.world.now.getTime() + 60_000);
  const [said] = await say(local, {
    channel: 'web',
    newThread: { title: '<i>title</i>' },
    turns: hostile.map((text) => ({ text })),
  });
  const [value = '', statement] = hostile;
  await local.execute(RECORD, { input: { category: 'GOAL', value, statement } });
  await local.post({ query: CLOSE, variables: { threadId: said?.thread.id } });
  await server.world.settle();
  await using opened = await openConsole(browser(), server.origin, { at: 'timeline' });
  const { page, complaints } = opened;
  await page.getByRole('button', { name: '<i>title</i>' }).first().click();
  for (const text of ['<img src=x onerror=', '<b>bold</b> [link](javascript']) {
    await page.getByLabel('Turns').getByText(text).waitFor();
  }
  for (const [name, at, text] of WITH_WORDS) {
    await page.goto(`${server.origin}/console/${at}`);
    await shown(page, name);
    const opener = page.locator('main li button').first();
    if (await opener.isVisible()) await opener.click();
    if (text) await page.locator('main').getByText(text).first().waitFor();
    await shown(page, name);
    const width = await page.evaluate(`(() => {
      const { body } = document;
      const main = body.querySelector('main');
      return Math.max(body.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth);
    })()`);
    expect(width, name).toBeLessThanOrEqual(0);
    expect(await page.evaluate('window.hacked'), name).toBeUndefined();
    const made = page.locator('main :is(img, script, b, i, a[href^="javascript"])');
    expect(await made.count(), name).toBe(0);
  }
  expect(complaints).toEqual([]);
});

it('while the server is away the page says so; after it no event is missing and none is there twice', async () => {
  await using opened = await openConsole(browser(), server.origin, { at: 'live' });
  const { page } = opened;
  await shown(page, 'Live');
  await tell('One before.');
  await page.locator('[data-event]').first().waitFor();
  await server.stop();
  await page.getByText('The server does not answer. Trying again').waitFor();
  for (const text of ['Two while away.', 'Three while away.']) await tell(text);
  const { ctx } = server.world;
  const port = Number(new URL(server.origin).port);
  const config = { ...ctx.config, server: { ...ctx.config.server, port } };
  const again = await serve({ ...ctx, config });
  try {
    await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
    await tell('Four after.');
    const { rows } = await ctx.db.pool.query<{ number: number }>(
      `SELECT number FROM memory_events WHERE user_id = 'local' ORDER BY number DESC LIMIT 10`,
    );
    const newest = rows.map(({ number }) => String(number));
    const seen = () =>
      page.locator('[data-event]').evaluateAll((nodes) => nodes.map((node) => node.dataset.event));
    await expect.poll(async () => (await seen()).slice(0, 10)).toEqual(newest);
    const all = await seen();
    expect(new Set(all).size).toBe(all.length);
  } finally {
    await again.stop();
    server = { ...server, ...(await serve({ ...ctx, config })), world: server.world };
  }
});

it('the console works below a path of a proxy', async () => {
  await using proxy = await startPrefixProxy(server.origin, '/deep/memory');
  await using opened = await openConsole(browser(), proxy.origin, { prefix: '/deep/memory' });
  const { page, complaints } = opened;
  await shown(page, 'Live');
  expect(new URL(page.url()).pathname).toBe('/deep/memory/console/live');
  await tell('Said behind a proxy.');
  await page.locator('[data-event]').first().waitFor();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await shown(page, 'Timeline');
  await page.reload();
  await shown(page, 'Timeline');
  expect(complaints).toEqual([]);
});
