import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import type { Browser, Page } from 'playwright-core';
import { countOption } from '../../src/cli/support/count-option.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { CommandFailed, runCommand } from '../../src/cli/support/run-command.ts';
import { launchBrowser, NO_BROWSER } from '../support/browser.ts';
import { quantile } from '../support/measure.ts';
import { printResult } from '../support/report.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { measureScrolling } from './console/scrolling.ts';

type Options = { turns: number; events: number };

/** What docs/console.md promises: times in milliseconds, and events. */
const LIMITS = {
  firstPictureMax: 1_000,
  rowP95: 150,
  missed: 0,
  readLongestTask: 50,
  dragLongestTask: 50,
};

const USER = 'console';
/** Turns a call: some 2 MB. */
const BATCH = 10_000;
const MINUTE = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');

await runCommand(() =>
  new Command('npm run bench:console --')
    .description(
      'Measures the web console in Chromium: its first picture, how soon an event is a row, and a long thread that scrolls.',
    )
    .option('--turns <count>', 'turns of the thread', countOption, 100_000)
    .option(
      '--events <count>',
      'turns that are remembered while the page is live',
      countOption,
      100,
    )
    .action(measure)
    .parseAsync(),
);

async function measure({ turns, events }: Options): Promise<void> {
  await using server = await startServerProcess({ env: { EMBEDDER: 'none', WORKERS: '0' } });
  await tellThread(server, turns);
  const browser = await launchBrowser({ hasScrollBars: true });
  if (!browser) throw new Error(NO_BROWSER);
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const first = await measureFirstPicture(browser, server);
    const rows = await measureRows(page, server, events);
    await signIn(page, server, 'timeline');
    const figures: Record<string, number> = {
      ...first,
      ...rows,
      ...(await measureScrolling(page, turns)),
    };
    printResult(figures);
    for (const [name, most] of Object.entries(LIMITS)) {
      const value = figures[name] ?? Number.NaN;
      if (!(value <= most))
        throw new CommandFailed(`${name} is ${Math.round(value)}, at most ${most} is allowed.`);
    }
  } finally {
    await browser.close();
  }
}

/** Imports one conversation of so many turns. */
async function tellThread({ memory }: ServerProcess, turns: number): Promise<void> {
  using progress = showProgress('turns', turns);
  const conversation = { id: 'long', title: 'A long thread' };
  // Each part begins with the last turn of the one before it.
  for (let first = 0; first === 0 || first < turns - 1; first += BATCH - 1) {
    const length = Math.min(BATCH, turns - first);
    const part = Array.from({ length }, (_, index) => turnOf(first + index));
    await memory.as(USER).importConversation({ self: 'Ada', conversation, turns: part });
    progress.set(first + part.length);
  }
}

function turnOf(number: number) {
  return {
    speaker: number % 2 ? 'Ada' : 'Assistant',
    text: `Turn ${number}: ${'a few words of some length. '.repeat(1 + (number % 7))}`,
    occurredAt: new Date(START + number * MINUTE).toISOString(),
  };
}

async function openForm(page: Page, { url, apiKey }: ServerProcess, screen: string): Promise<void> {
  await page.goto(new URL(`console/${screen}?user=${USER}`, url).href);
  await page.getByLabel('API key or token').fill(apiKey);
}

async function signIn(page: Page, server: ServerProcess, screen: string): Promise<void> {
  await openForm(page, server, screen);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** From the address to the form for a key in a browser without a cache, and from the key to the first event. */
async function measureFirstPicture(browser: Browser, server: ServerProcess) {
  const forms: number[] = [];
  const pictures: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const page = await browser.newPage();
    const started = performance.now();
    await openForm(page, server, 'live');
    const form = performance.now();
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('[data-event]').first().waitFor();
    forms.push(form - started);
    pictures.push(performance.now() - started);
    await page.close();
  }
  return {
    formP50: quantile(forms, 0.5),
    firstPictureP50: quantile(pictures, 0.5),
    firstPictureMax: Math.max(...pictures),
  };
}

/** From the call of `remember` to the row, by the one clock that both have. */
async function measureRows(page: Page, server: ServerProcess, events: number) {
  await signIn(page, server, 'live');
  await page.locator('[data-event]').first().waitFor();
  await page.evaluate(`
    window.rows = new Map();
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('[data-event]')) {
        if (!window.rows.has(row.dataset.event)) window.rows.set(row.dataset.event, Date.now());
      }
    }).observe(document.querySelector('main'), { childList: true, subtree: true });`);
  const stored: number[] = [];
  const watched = server.memory.as(USER).events({ kinds: ['TURNS_REMEMBERED'] });
  const following = (async () => {
    for await (const { number } of watched) {
      stored.push(number);
      if (stored.length >= events) return;
    }
  })();
  await delay(500);
  const calls: number[] = [];
  for (let turn = 0; turn < events; turn += 1) {
    calls.push(Date.now());
    await server.memory.as(USER).remember(`Live turn ${turn}.`, { channel: 'sms' });
    await delay(50);
  }
  await following;
  await delay(500);
  const rows = new Map(await page.evaluate<[string, number][]>('[...window.rows]'));
  const times = stored.flatMap((number, index) => {
    const row = rows.get(String(number));
    return row === undefined ? [] : [row - (calls[index] ?? 0)];
  });
  return {
    rows: times.length,
    missed: events - times.length,
    rowP50: quantile(times, 0.5),
    rowP95: quantile(times, 0.95),
  };
}
