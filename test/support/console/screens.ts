import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { shown } from './console.ts';

/** A screen with the pictures that it draws, as selectors, and what to click first. */
type PicturedScreen = {
  name: string;
  at: string;
  pictures: readonly string[];
  click?: string;
};

/** Waits until a screen has drawn its pictures, without an error. */
export async function drawn(page: Page, { name, pictures, click }: PicturedScreen): Promise<void> {
  await shown(page, name);
  if (click) await page.locator(click).first().click();
  for (const picture of pictures)
    await page.locator(picture).first().waitFor({ state: 'attached' });
  await shown(page, name);
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
}

/** Every screen, opened on a memory that has something of everything. */
export const screensOf = ({
  question,
  channel,
}: {
  question: string;
  channel: string;
}): PicturedScreen[] => [
  {
    name: 'Live',
    at: 'live',
    pictures: ['role=img[name=/queued/] >> path', 'role=img[name=/^turns by minute/] >> path'],
  },
  {
    name: 'Timeline',
    at: 'timeline',
    pictures: [`role=list[name="${channel}"] >> role=button`],
    click: 'li button[aria-pressed]',
  },
  {
    name: 'Links',
    at: 'links',
    pictures: ['role=img[name=/links between/] >> path', 'role=img[name=/^Algorithmic score/]'],
    click: 'main li button',
  },
  {
    name: 'Facts',
    at: 'facts',
    pictures: ['role=img[name=/beliefs/] >> rect'],
    click: 'main li button',
  },
  {
    name: 'Recall',
    at: `recall?q=${encodeURIComponent(question)}`,
    pictures: [
      'role=img[name=/^Ranks of/] >> circle',
      'role=img[name=/^Score parts: words/] >> rect',
      'role=table[name="Stages of the recall"] >> rect',
      'role=img[name=/ of 4000 tokens/] >> rect',
    ],
    click: 'ol[aria-label="Hits"] button',
  },
  {
    name: 'Episodes',
    at: 'episodes?capture=CREATED',
    pictures: [
      'role=img[name=/^Forgetting curve/] >> path',
      'role=group[name="What happened, week by week"] >> role=button[name=/^Week of/]',
    ],
    click: 'li button[aria-pressed]',
  },
  {
    name: 'Profile',
    at: 'profile',
    pictures: ['role=list[name="From the profile down to the turns"] >> rect'],
    click: 'li button[aria-expanded]',
  },
  {
    name: 'Linking',
    at: 'linking',
    pictures: [
      'role=table[name="Threshold and weights"] >> rect',
      'role=img[name=/^Error rates/] >> path',
    ],
  },
  {
    name: 'Operations',
    at: 'operations',
    pictures: [
      'role=table[name="Oldest job by step"] >> rect',
      'role=img[name=/tokens in 30 days/] >> rect',
      'role=img[name=/need no further embedding/] >> rect',
    ],
  },
  { name: 'Keys', at: 'keys', pictures: ['main section p'] },
  {
    name: 'Privacy',
    at: 'privacy?forget=everything',
    pictures: ['role=list[name="What goes, by kind"] >> li'],
  },
];
