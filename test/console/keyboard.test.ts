import { afterAll, beforeAll, expect, it } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, shown } from '../support/console/console.ts';
import { reach } from '../support/console/reach.ts';
import { RECORD } from '../support/facts.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const browser = useBrowser();
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  server.world.now = new Date();
  const local = server.world.client();
  await say(local, { channel: 'sms', turns: [{ text: 'The kettle is copper.' }] });
  await local.execute(RECORD, {
    input: { category: 'IDENTITY', value: 'born in Faro', validFrom: '1999-05-10T00:00:00Z' },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

it('the keyboard alone opens an event with all of its decision, on a narrow screen, too', async () => {
  await using opened = await openConsole(browser(), server.origin, {
    at: 'live',
    viewport: { width: 390, height: 800 },
  });
  const { page } = opened;
  await shown(page, 'Live');
  const row = page.locator('[data-event]').filter({ hasText: 'turns remembered' });
  await row.waitFor();
  await reach(page, /turns remembered/);
  expect(await row.getByRole('paragraph').count()).toBe(0);
  await page.keyboard.press('Enter');
  const { rows } = await server.world.ctx.db.pool.query<{ decision: string }>(
    `SELECT decision FROM memory_events WHERE kind = 'TURNS_REMEMBERED'`,
  );
  await row
    .getByRole('paragraph')
    .getByText(rows[0]?.decision ?? 'none')
    .waitFor();
  await page.keyboard.press('Enter');
  await row.getByRole('paragraph').waitFor({ state: 'detached' });
});

it('the keyboard alone moves a time back to the earliest fact, and opens and leaves a dialog', async () => {
  await using opened = await openConsole(browser(), server.origin, { at: 'facts' });
  const { page } = opened;
  const fact = page.getByRole('button', { name: /born in Faro/ });
  await fact.waitFor();
  await reach(page, /^True at$/);
  await page.keyboard.press('Home');
  await page.getByText('No fact is like this.').waitFor();
  expect(new URL(page.url()).searchParams.get('at')).toMatch(/^1999-0[45]/);
  await page.keyboard.press('ArrowRight');
  await fact.waitFor();
  await reach(page, /born in Faro/);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: /beliefs/ }).waitFor();
  await reach(page, /^Correct$/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Correct a fact' });
  await dialog.waitFor();
  await reach(page, /^Value$/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await reach(page, /^Retract$/, 'Shift+Tab');
});
