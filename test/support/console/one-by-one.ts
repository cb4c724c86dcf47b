import type { Page } from 'playwright-core';

/**
 * Makes every page of a list that a query reads hold one entry, as if there were many more.
 * @param list the field with its size, such as "links(first: 100"
 */
export async function oneByOne(page: Page, list: string): Promise<void> {
  const single = list.replace(/\d+$/, '1');
  await page.route('**/graphql', (route) => {
    const body = route.request().postData() ?? '';
    return route.continue({ postData: body.replace(list, single) });
  });
}
