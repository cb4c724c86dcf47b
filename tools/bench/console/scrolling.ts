import type { Page } from 'playwright-core';
import { showProgress } from '../../../src/cli/support/progress.ts';

/** Frames between two looks at how far it has come. */
const FRAMES = 300;

/** The height of the button below a scroll bar, in pixels. */
const SCROLL_BUTTON = 16;

/** In the page: what is drawn, and tasks above 50 ms since the last look. */
const WATCH = `
  window.region = document.querySelector('[aria-label="Turns"]');
  window.isDrawn = () => {
    const { top, bottom } = region.getBoundingClientRect();
    return [...region.querySelectorAll('[data-index]')].every((page) => {
      const at = page.getBoundingClientRect();
      return at.bottom <= top || at.top >= bottom || page.querySelector('article') !== null;
    });
  };
  window.tasks = [];
  new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });`;

/** A screen a frame, as long as what is visible is drawn. */
const READ_ON = `(async () => {
  for (let frame = 0; frame < ${FRAMES}; frame += 1) {
    await new Promise(requestAnimationFrame);
    if (isDrawn()) region.scrollBy(0, region.clientHeight);
  }
  const place = region.scrollTop + region.clientHeight;
  return { done: place / region.scrollHeight, isEnd: isDrawn() && place >= region.scrollHeight - 2 };
})()`;

/** Opens the thread, reads it from its beginning to its end, and drags the scroll bar to its middle. */
export async function measureScrolling(page: Page, turns: number) {
  await page.getByRole('button', { name: 'A long thread' }).last().click();
  await page.getByLabel('Turns', { exact: true }).getByText('Turn 0:').waitFor();
  await page.evaluate(WATCH);
  const started = Date.now();
  await readToEnd(page, turns);
  const read = await tasksOf(page, 'read');
  const seconds = (Date.now() - started) / 1_000;
  const last = await page
    .getByLabel('Turns', { exact: true })
    .getByText(`Turn ${turns - 1}:`)
    .count();
  if (last !== 1) throw new Error('The last turn is not at the end of the thread.');
  const middleShownAfter = await dragToMiddle(page);
  const drag = await tasksOf(page, 'drag');
  return { readSeconds: seconds, ...read, middleShownAfter, ...drag, ...(await memoryOf(page)) };
}

async function readToEnd(page: Page, turns: number): Promise<void> {
  using progress = showProgress('turns read', turns);
  for (let isEnd = false; !isEnd; ) {
    const at = await page.evaluate<{ done: number; isEnd: boolean }>(READ_ON);
    progress.set(Math.round(at.done * turns));
    isEnd = at.isEnd;
  }
}

/** Returns how long after the button was released the turns there are drawn, in milliseconds. */
async function dragToMiddle(page: Page): Promise<number> {
  const region = page.getByLabel('Turns', { exact: true });
  await region.scrollIntoViewIfNeeded();
  const box = await region.boundingBox();
  if (!box) throw new Error('The turns are not in the page.');
  const x = box.x + box.width - 5;
  // The thumb is at the end, above the button for one line.
  await page.evaluate(`(async () => {
    region.scrollTop = region.scrollHeight;
    do await new Promise(requestAnimationFrame); while (!isDrawn());
  })()`);
  await page.mouse.move(x, box.y + box.height - SCROLL_BUTTON - 8);
  await page.mouse.down();
  await page.mouse.move(x, box.y + box.height / 2, { steps: 60 });
  await page.mouse.up();
  const released = Date.now();
  await page.evaluate(`(async () => {
    do await new Promise(requestAnimationFrame); while (!isDrawn());
  })()`);
  const place = await page.evaluate<number>('region.scrollTop / region.scrollHeight');
  // Turns that are drawn on the way have other heights than were estimated, which moves the bar.
  if (place < 0.2 || place > 0.85) throw new Error(`The scroll bar was dragged to ${place}.`);
  return Date.now() - released;
}

/** The number of tasks above 50 ms since the last look, and the longest of them, in milliseconds; 0 without one. */
async function tasksOf(page: Page, name: 'read' | 'drag') {
  const tasks = await page.evaluate<number[]>('tasks.splice(0)');
  return { [`${name}TasksAbove50ms`]: tasks.length, [`${name}LongestTask`]: Math.max(0, ...tasks) };
}

async function memoryOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heapMb: figure('JSHeapUsedSize') / 1e6, domNodes: figure('Nodes') };
}
