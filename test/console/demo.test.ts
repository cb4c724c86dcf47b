import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { correct } from '../../src/cli/demo/correct.ts';
import { liveThrough } from '../../src/cli/demo/live-through.ts';
import { type Demo, openDemo } from '../../src/cli/demo/open-demo.ts';
import { broughtUpTo, readSample } from '../../src/cli/demo/sample.ts';
import { useBrowser } from '../support/console/browser.ts';
import { openConsole } from '../support/console/console.ts';
import { drawn, screensOf } from '../support/console/screens.ts';

const SAMPLE = new URL('../../examples/sample-conversation.json', import.meta.url);
/** What the memory of the demo has not: tuning runs, jobs that are left, models that were asked. */
const OTHER_PICTURES: Record<string, readonly string[]> = {
  Linking: ['role=table[name="Threshold and weights"] >> rect'],
  Operations: ['role=img[name=/need no further embedding/] >> rect'],
};
const SCREENS = screensOf({
  question: 'What dose of thiamazole does Biscuit take?',
  channel: 'whatsapp',
}).map((screen) => ({ ...screen, pictures: OTHER_PICTURES[screen.name] ?? screen.pictures }));

const browser = useBrowser();
let demo: Demo;
beforeAll(async () => {
  demo = await openDemo(0);
  const { memory, clock } = demo;
  const sample = broughtUpTo(readSample(await readFile(SAMPLE, 'utf8'), 'the sample'), new Date());
  for await (const { first } of liveThrough(memory, sample, clock)) expect(first).not.toBe('');
  await correct(memory);
  clock.toPresent();
  await clock.rest();
}, 300_000);
afterAll(() => demo[Symbol.asyncDispose]());

it.each(SCREENS)('$name draws its picture on the memory of the demo', async (screen) => {
  const { name, at } = screen;
  const { origin } = new URL(demo.url);
  await using opened = await openConsole(browser(), origin, { at });
  const { page, complaints } = opened;
  await drawn(page, screen);
  expect(complaints).toEqual([]);
  await opened.picture(`demo-${name}`);
});
