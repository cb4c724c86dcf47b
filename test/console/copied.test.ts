import { createMemory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole, shown } from '../support/console/console.ts';
import { runExample } from '../support/run-example.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, type TestServer } from '../support/server.ts';

const RUN = `recall?user=o'ana&q=${encodeURIComponent('Who said "copper", and why?')}&kind=TURN&channel=sms&first=3`;

const browser = useBrowser();
let server: TestServer;
let secret: string;
beforeAll(async () => {
  server = await createTestServer();
  ({ secret } = await createApiKey(server.world.ctx, 'console'));
  await say(await server.world.user("o'ana"), {
    channel: 'sms',
    turns: [{ text: 'The kettle is copper.' }, { text: 'I said copper since it shines.' }],
  });
  await server.world.settle();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Presses a button that copies. @returns what is then in the clipboard, and the number of hits on the page */
async function copied(label: string) {
  await using opened = await openConsole(browser(), server.origin, {
    at: RUN,
    secret,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = opened;
  await shown(page, 'Recall');
  const hits = page.getByRole('list', { name: 'Hits', exact: true }).getByRole('button');
  await hits.first().waitFor();
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  return { text, shown: await hits.count() };
}

it('a recall copied as GraphQL runs as it stands, and finds what the page shows', async () => {
  const { text, shown: count } = await copied('GraphQL');
  const { body } = await server.post({ query: text }, { authorization: `Bearer ${secret}` });
  expect(body.errors).toBeUndefined();
  const { recall } = body.data as unknown as { recall: { hits: { kind: string }[] } };
  expect(recall.hits.map(({ kind }) => kind)).toEqual(Array(count).fill('TURN'));
  expect(count).toBeGreaterThan(0);
});

it('a recall copied as TypeScript runs as it stands, and finds what the page shows', async () => {
  const { text, shown: count } = await copied('TypeScript');
  expect(text).not.toContain(secret);
  const printed = await runExample(`${text}console.log(hits.length, markdown);`, {
    createMemory,
    process: { env: { MNEMOGRAPH_API_KEY: secret } },
  });
  expect(printed).toMatch(new RegExp(`^${count} `));
  expect(printed).toContain('The kettle is copper.');
});
