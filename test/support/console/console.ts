import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

// biome-ignore lint/style/noProcessEnv: says where pictures go, not how the server is set up
const { SCREENSHOTS } = process.env;

/** How long a page may take to show something, in milliseconds. */
export const PATIENCE = 20_000;

/** A page of the console in a context of its own. */
export type ConsolePage = AsyncDisposable & {
  page: Page;
  /** Errors in the browser's console, and requests to other hosts. Empty in a good page. */
  complaints: string[];
  /** Saves a picture of the page, if the tests are asked for pictures. */
  picture(name: string): Promise<void>;
};

/** Where to open the console, and how. */
type Options = BrowserContextOptions & {
  /** The screen with its search parameters, such as "live?group=facts". */
  at?: string;
  /** The path before `/console/`, behind a proxy. */
  prefix?: string;
  /** A key or token to enter. */
  secret?: string;
};

/** Opens the console. */
export async function openConsole(
  browser: Browser,
  origin: string,
  { at = '', prefix = '', secret, ...options }: Options = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && asked !== origin) {
      complaints.push(`asks for ${request.url()}`);
    }
  });
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) {
      complaints.push(`opens ${socket.url()}`);
    }
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${origin}${prefix}/console/${at}`);
  if (secret !== undefined) await signIn(page, secret);
  return {
    page,
    complaints,
    picture: async (name) => {
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/console-${name}.png` });
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Enters a key or token. */
export async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel('API key or token').fill(secret);
  await page.getByRole('button', { name: 'Open' }).click();
}

type Finding = { id: string; impact: string | null; nodes: { html: string }[] };

/** Fails for whatever axe finds serious, or critical, in the page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Finding[]>(
    'axe.run({ resultTypes: ["violations"] }).then((result) => result.violations)',
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** Waits until a screen shows its heading, and nothing of it is loading. */
export async function shown(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
}
