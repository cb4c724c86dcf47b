import { setTimeout as delay } from 'node:timers/promises';
import { createMemory } from '@mnemograph/client';
import type { Browser } from 'playwright-core';

/** Something that follows the events of a memory through the client. */
export type Follower = AsyncDisposable & {
  name: string;
  /** The numbers of the events that have come so far. */
  numbers(): Promise<readonly number[]>;
  /** How many streams the server has accepted. */
  opened(): number;
};

/** Whom to follow, and where. */
export type Followed = { url: string; apiKey: string; userId: string };

const EVENTS = 'text/event-stream';

/** Follows in this process. */
export async function followInNode({ url, apiKey, userId }: Followed): Promise<Follower> {
  const numbers: number[] = [];
  const end = new AbortController();
  let opened = 0;
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.headers.get('content-type') === EVENTS) opened += 1;
    return response;
  };
  const memory = createMemory({ url, apiKey, fetch: counting }).as(userId);
  const following = (async () => {
    for await (const { number } of memory.events({ signal: end.signal })) numbers.push(number);
  })();
  while (opened === 0) await Promise.race([delay(20), following]);
  return {
    name: 'Node.js',
    numbers: async () => [...numbers],
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      end.abort();
      await following;
    },
  };
}

/** Follows in a page of another origin. @param page its address, with the client in it */
export async function followInBrowser(
  browser: Browser,
  page: string,
  followed: Followed,
): Promise<Follower> {
  const tab = await browser.newPage();
  let opened = 0;
  const problems: string[] = [];
  tab.on('pageerror', ({ message }) => problems.push(message));
  tab.on('response', (response) => {
    if (response.headers()['content-type'] === EVENTS) opened += 1;
  });
  await tab.goto(`${page}#${new URLSearchParams(followed)}`);
  while (opened === 0) {
    if (problems.length > 0) throw new Error(problems.join('; '));
    await delay(20);
  }
  return {
    name: 'Chromium',
    numbers: () => tab.evaluate('globalThis.numbers'),
    opened: () => opened,
    [Symbol.asyncDispose]: () => tab.close(),
  };
}
