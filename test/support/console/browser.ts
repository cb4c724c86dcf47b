import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, type TestContext } from 'vitest';
import { launchBrowser, NO_BROWSER } from '../../../tools/support/browser.ts';

/** Starts a browser for the tests of a file. They are skipped without one, or fail if MNEMOGRAPH_REQUIRE_BROWSER is 1. */
export function useBrowser(): () => Browser {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach((context: TestContext) => {
    if (browser) return;
    // biome-ignore lint/style/noProcessEnv: says where the tests run, not how the server is set up
    if (process.env.MNEMOGRAPH_REQUIRE_BROWSER === '1') throw new Error(NO_BROWSER);
    context.skip(NO_BROWSER);
  });
  return () => browser as Browser;
}
