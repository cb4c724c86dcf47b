import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemory } from '@mnemograph/client';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { useBrowser } from '../support/console/browser.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const browser = useBrowser();
let server: TestServer;
let vite: ViteDevServer;
let cacheDir: string;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  cacheDir = await mkdtemp(join(tmpdir(), 'mnemograph-vite-'));
  vi.stubEnv('MNEMOGRAPH_URL', server.origin);
  vite = await createServer({
    root: fileURLToPath(new URL('../../examples/live-facts/', import.meta.url)),
    cacheDir,
    logLevel: 'error',
    server: { port: 0 },
  });
  await vite.listen();
}, 60_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await vite.close();
  await rm(cacheDir, { recursive: true });
  await server[Symbol.asyncDispose]();
});

it('the page shows facts as they are learned, from its own form and from elsewhere', async () => {
  const memory = createMemory({ url: server.origin });
  await memory.facts.record({ category: 'PREFERENCE', key: 'preference:tea', value: 'green tea' });
  const page = await browser().newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(vite.resolvedUrls?.local[0] ?? '');
  const items = () => page.locator('li').allTextContents();
  const soon = { timeout: 30_000 };
  await expect.poll(items, soon).toHaveLength(1);
  expect((await items())[0]).toContain('green tea');

  await page.getByLabel('Say something').fill('My name is Ada.');
  await page.keyboard.press('Enter');
  const settled = async () => {
    await server.world.settle();
    return items();
  };
  await expect.poll(settled, soon).toHaveLength(2);
  expect((await items()).join()).toContain('Ada');

  const fact = await memory.facts.record({
    category: 'PREFERENCE',
    key: 'preference:bread',
    value: 'rye bread',
  });
  await expect.poll(items, soon).toHaveLength(3);
  await memory.facts.retract(fact.id);
  await expect.poll(items, soon).toHaveLength(2);
  expect(problems).toEqual([]);
}, 120_000);
