import type { Page } from 'playwright-core';

/** What is read out for the element that has the focus. */
const NAME = `(() => {
  const { activeElement: element } = document;
  return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
})()`;

/** Moves the focus by a key until it is on something of this name. */
export async function reach(page: Page, name: RegExp, by = 'Tab'): Promise<void> {
  for (let tabs = 0; tabs < 60; tabs += 1) {
    await page.keyboard.press(by);
    if (name.test(await page.evaluate<string>(NAME))) return;
  }
  throw new Error(`No way to ${name}`);
}
