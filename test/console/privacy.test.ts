import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, shown } from '../support/console/console.ts';
import { dumpOf, linesWith } from '../support/database/dump.ts';
import { keyFor } from '../support/keys.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, type TestServer } from '../support/server.ts';

const browser = useBrowser();
let server: TestServer;
let secret: string;
beforeAll(async () => {
  server = await createTestServer();
  ({ secret } = await createApiKey(server.world.ctx, 'all'));
  const ana = await server.world.user('ana');
  const turns = (...texts: string[]) => texts.map((text) => ({ text }));
  await say(ana, {
    channel: 'web',
    newThread: { title: 'Boats' },
    turns: turns('A blue catamaran sails.', 'It has two hulls.'),
  });
  await say(ana, {
    channel: 'web',
    newThread: { title: 'Tea' },
    turns: turns('My sister Nell drinks oolong.'),
  });
  await server.world.settle();
});
afterAll(() => server[Symbol.asyncDispose]());

it('an archive that was downloaded becomes the same memory under another name', async () => {
  await using opened = await openConsole(browser(), server.origin, {
    at: 'privacy?user=ana',
    secret,
  });
  const { page } = opened;
  const save = async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the archive' }).click();
    return await (await download).path();
  };
  const original = await save();
  await page.getByRole('button', { name: 'ana' }).click();
  await page.keyboard.press('Escape');
  await using other = await openConsole(browser(), server.origin, {
    at: 'privacy?user=copy',
    secret,
  });
  await other.page.getByLabel('Archive').setInputFiles(original);
  await other.page.getByRole('button', { name: 'Import' }).click();
  await other.page.getByText('The archive is imported.').waitFor();
  const download = other.page.waitForEvent('download');
  await other.page.getByRole('button', { name: 'Download the archive' }).click();
  // All but what says that it was exported and imported: those events, their number, and the counts.
  const rows = async (path: string) =>
    (await readFile(path, 'utf8'))
      .split('\n')
      .slice(1)
      .filter((line) => !/"type":"(user|end)"|"MEMORY_(EX|IM)PORTED"/.test(line));
  const [before, after] = [await rows(original), await rows(await (await download).path())];
  expect(before.filter((line) => line.includes('"type":"turn"')).length).toBe(3);
  expect(after).toEqual(before);
});

it('a forget is previewed by name, confirmed by typing, and leaves no word behind', async () => {
  await using opened = await openConsole(browser(), server.origin, {
    at: 'privacy?user=ana',
    secret,
  });
  const { page } = opened;
  expect(linesWith(await dumpOf(server.world), 'catamaran')).not.toEqual([]);
  await page.getByLabel('A thread or a fact with these words').fill('catamaran');
  await page.getByRole('button', { name: 'See what goes' }).first().click();
  const preview = page.getByLabel('What goes');
  await preview.getByText('A blue catamaran sails.').waitFor();
  await preview.getByText('It has two hulls.').waitFor();
  await preview.getByRole('paragraph').getByText('Boats', { exact: true }).waitFor();
  expect(await preview.getByText('oolong').count()).toBe(0);
  const button = page.getByRole('button', { name: 'Forget for good' });
  expect(await button.isDisabled()).toBe(true);
  await page.getByLabel(/^Type "forget"/).fill('forget');
  await button.click();
  await page.getByRole('heading', { name: 'Forgotten' }).waitFor();
  await server.world.settle();
  const left = linesWith(await dumpOf(server.world), 'catamaran');
  expect(left.filter((line) => !line.includes('copy'))).toEqual([]);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await shown(page, 'Timeline');
  expect(await page.content()).not.toContain('catamaran');
});

it('a key that only reads is told why nothing is forgotten', async () => {
  const key = await keyFor(server, 'ana', 'READ');
  await using opened = await openConsole(browser(), server.origin, {
    at: 'privacy?forget=everything',
    secret: key.secret,
  });
  const { page } = opened;
  await page.getByText('read only').waitFor();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: 'Forget for good' }).count()).toBe(0);
});
