import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../tools/support/free-port.ts';
import { makeServerPlace, type ServerPlace } from '../../tools/support/restartable-server.ts';
import type { ServerProcess } from '../../tools/support/server-process.ts';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, shown } from '../support/console/console.ts';

const USER = 'followed';
const EVENTS = `query ($userId: String!) { user(userId: $userId) {
  events(last: 100) { edges { node { number } } } } }`;

const browser = useBrowser();
let place: ServerPlace;
let server: ServerProcess;
beforeAll(async () => {
  place = await makeServerPlace(undefined, {
    PORT: String(await freePort()),
    EMBEDDER: 'none',
  });
  server = await place.start();
}, 120_000);
afterAll(() => place[Symbol.asyncDispose]());

type Events = { user: { events: { edges: { node: { number: number } }[] } } };
const numbersOf = async () => {
  const { user } = await server.request<Events>(EVENTS, { userId: USER });
  return user.events.edges.map(({ node }) => node.number);
};

it('a page that is live misses no event of a server that is killed, and shows none twice', {
  timeout: 240_000,
}, async () => {
  await server.memory.as(USER).remember('Before.', { channel: 'sms' });
  const { origin } = new URL(server.url);
  await using opened = await openConsole(browser(), origin, {
    at: `live?user=${USER}`,
    secret: server.apiKey,
    viewport: { width: 1400, height: 4_000 },
  });
  const { page } = opened;
  page.setDefaultTimeout(60_000);
  await shown(page, 'Live');
  const rows = page.locator('[data-event]');
  await rows.first().waitFor();

  // What the server has not answered when it is killed fails.
  const telling = (async () => {
    for (let count = 0; count < 20; count += 1) {
      await server.memory.as(USER).remember(`Told ${count}.`, { channel: 'sms' });
      if (count === 8) server.kill('SIGKILL');
    }
  })();
  const failed = telling.then(
    () => null,
    (error: Error) => error,
  );
  await server.exited;
  await page.getByText('The server does not answer. Trying again').waitFor();
  server = await place.start();
  await failed;
  for (let count = 0; count < 10; count += 1) {
    await server.memory.as(USER).remember(`Told after ${count}.`, { channel: 'sms' });
  }
  await page.getByText('The server does not answer.').waitFor({ state: 'detached' });

  const shownNumbers = () =>
    rows.evaluateAll((nodes) => nodes.map((node) => Number(node.dataset.event)).reverse());
  // Background work goes on for a while and records events, too.
  await expect
    .poll(
      async () => {
        const stored = await numbersOf();
        const seen = await shownNumbers();
        // The page shows a few hundred events, and a page of the log holds one hundred.
        const both = Math.min(stored.length, seen.length);
        const isAll = both >= 15 && `${stored.slice(-both)}` === `${seen.slice(-both)}`;
        return { stored, seen, isAll };
      },
      { timeout: 60_000 },
    )
    .toMatchObject({ isAll: true });
});
