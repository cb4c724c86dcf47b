import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

// biome-ignore lint/style/noProcessEnv: says where the commands run, not how the server is set up
const { CHROMIUM = '/usr/bin/chromium' } = process.env;
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Why there is no browser. */
export const NO_BROWSER = `no browser at ${CHROMIUM}; set CHROMIUM`;

/**
 * Starts Chromium; null if this machine has none.
 * @param hasScrollBars whether pages have scroll bars that can be dragged, as they have for people with a mouse
 */
export async function launchBrowser({ hasScrollBars = false } = {}): Promise<Browser | null> {
  if (!existsSync(CHROMIUM)) return null;
  return await chromium.launch({
    executablePath: CHROMIUM,
    args: FLAGS.split(' '),
    ...(hasScrollBars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}),
  });
}
