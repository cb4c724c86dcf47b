import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { shown, signIn } from '../support/console/console.ts';
import { serveFullMemory } from '../support/console/full-console.ts';
import { oneByOne } from '../support/console/one-by-one.ts';
import { talk } from '../support/episodes.ts';
import { linksOf } from '../support/links.ts';
import { say } from '../support/samples/conversation.ts';
import { CAR, ROOF } from '../support/samples/conversations.ts';

const CUTS = `{ viewer { events(last: 100, kinds: [SEGMENT_CLOSED]) { edges { node { thread { id } } } } } }`;
const CLOSE = 'mutation ($threadId: ID!) { closeThread(threadId: $threadId) { __typename } }';

const browser = useBrowser();
let memory: Awaited<ReturnType<typeof serveFullMemory>>;
beforeAll(async () => {
  memory = await serveFullMemory(browser);
  await tellTwoMatters();
}, 120_000);
afterAll(() => memory[Symbol.asyncDispose]());

/** Tells a thread of two segments. */
async function tellTwoMatters() {
  const { world, alex } = memory;
  world.now = new Date('2026-04-21T12:00:00Z');
  const textsOf = (lines: typeof ROOF) => lines.map(([, text]) => text);
  const turns = [
    ...talk(textsOf(ROOF), '2026-04-21T08:00:00Z'),
    ...talk(textsOf(CAR), '2026-04-21T11:30:00Z'),
  ];
  const [said] = await say(alex, { channel: 'web', newThread: { title: 'Two matters' }, turns });
  await alex.post({ query: CLOSE, variables: { threadId: said?.thread.id } });
  await world.settle();
}

/** Opens a screen on which the pages of a list hold one entry each. */
async function openShort(at: string, list: string) {
  const opened = await memory.open(at, { secret: undefined });
  await oneByOne(opened.page, list);
  await signIn(opened.page, memory.secret);
  return opened;
}

it('the links of a thread are found on all pages', async () => {
  const { links } = await linksOf(memory.alex);
  const id = links.at(-1)?.earlierThread.id ?? '';
  const own = links.filter(({ thread, earlierThread }) =>
    [thread.id, earlierThread.id].includes(id),
  );
  expect(own.length).toBeLessThan(links.length);
  await using opened = await openShort('links', 'links(\\n        first: 100');
  const { page } = opened;
  const rows = page.locator('main li button');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await using walked = await openShort(`links?thread=${id}`, 'links(\\n        first: 100');
  await expect.poll(() => walked.page.locator('main li button').count()).toBe(own.length);
});

it('events of a kind are asked of the server, and older ones are read on demand', async () => {
  await using opened = await openShort('live?group=THREAD_OPENED', 'last: 50');
  const { page } = opened;
  const rows = page.locator('[data-event]').filter({ hasText: 'thread opened' });
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(2);
});

it('why a segment ended is looked for in all events, and said to be unknown when they are gone', async () => {
  const { body } = await memory.alex.post({ query: CUTS });
  const { viewer } = body.data as {
    viewer: { events: { edges: { node: { thread: { id: string } | null } }[] } };
  };
  const ids = viewer.events.edges.flatMap(({ node }) => node.thread?.id ?? []);
  const times = (id: string) => ids.filter((other) => other === id).length;
  const [id = ''] = [...ids].sort((a, b) => times(b) - times(a));
  await using opened = await openShort(`timeline?thread=${id}`, 'last: 100');
  await expect.poll(() => opened.page.getByText(/^ended by/).count()).toBe(times(id));
  await memory.world.ctx.db.pool.query(`DELETE FROM memory_events WHERE kind = 'SEGMENT_CLOSED'`);
  await using later = await memory.open(`timeline?thread=${id}`);
  await later.page.getByText('why it ended is no longer on record').first().waitFor();
});

it('segments that are not drawn one by one have a look of their own', async () => {
  const LEFT_OUT = 'further segments, not drawn one by one';
  await using short = await openShort('timeline', 'segments(first: 30');
  await short.page.getByText(LEFT_OUT).waitFor();
  await using opened = await memory.open('timeline');
  await shown(opened.page, 'Timeline');
  expect(await opened.page.getByText(LEFT_OUT).count()).toBe(0);
});

it('links and events are of the days that the address names', async () => {
  await using opened = await memory.open('links?from=2000-01-01&to=2000-01-31');
  const { page } = opened;
  await page.getByText('No link is like this.').waitFor();
  await page.getByLabel('Until').fill('');
  await page.locator('main li button').first().waitFor();
  await page.getByRole('link', { name: 'Live' }).click();
  await page.locator('[data-event]').first().waitFor();
  await page.getByLabel('Until').fill('2000-01-31');
  await page.getByText('No event is like this.').waitFor();
  expect(new URL(page.url()).searchParams.get('to')).toBe('2000-01-31');
});
