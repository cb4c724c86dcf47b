import { mkdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { correct } from '../../src/cli/demo/correct.ts';
import { liveThrough } from '../../src/cli/demo/live-through.ts';
import { type Demo, openDemo } from '../../src/cli/demo/open-demo.ts';
import { endOf, readSample } from '../../src/cli/demo/sample.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { launchBrowser, NO_BROWSER } from '../support/browser.ts';

// Takes the pictures of the console for the README: the demo's memory, at the time at which its sample ends, so that they
// differ only if the console or the memory does.

const SAMPLE = new URL('../../examples/sample-conversation.json', import.meta.url);
const IMAGES = new URL('../../docs/images/', import.meta.url);
const SIZE = { width: 1280, height: 800 };
const MOST_BYTES = 200_000;
const HOUR = 3_600_000;

await runCommand(async () => {
  const sample = readSample(await readFile(SAMPLE, 'utf8'), 'the sample');
  const last = sample.conversations.at(-1);
  const now = new Date((last ? endOf(last).getTime() : 0) + HOUR);
  await using demo = await openDemo(0);
  for await (const { channel, first } of liveThrough(demo.memory, sample, demo.clock)) {
    console.log(`${first.slice(0, 16)} ${channel}`);
  }
  await correct(demo.memory);
  demo.clock.at(now);
  await demo.clock.rest();
  const browser = await launchBrowser();
  if (!browser) throw new Error(NO_BROWSER);
  try {
    await mkdir(IMAGES, { recursive: true });
    for (const theme of ['light', 'dark'] as const)
      await takePicture(browser, demo, { theme, now });
  } finally {
    await browser.close();
  }
});

async function takePicture(
  browser: Browser,
  { console: address }: Demo,
  { theme, now }: { theme: 'light' | 'dark'; now: Date },
): Promise<void> {
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  await page.goto(`${address}timeline`);
  await page.getByRole('button', { name: 'New flat' }).first().click();
  await page.getByLabel('Turns').locator('article').first().waitFor();
  const path = fileURLToPath(new URL(`console-${theme}.png`, IMAGES));
  await page.screenshot({ path });
  await context.close();
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}.`);
  console.log(`${path}: ${size} bytes`);
}
