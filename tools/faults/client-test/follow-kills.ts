import { setTimeout as delay } from 'node:timers/promises';
import { createMemory, type Memory } from '@mnemograph/client';
import type { Browser } from 'playwright-core';
import { lastEventOf } from '../../../src/cli/support/memory-client.ts';
import { freePort } from '../../support/free-port.ts';
import { makeServerPlace } from '../../support/restartable-server.ts';
import { type Follower, followInBrowser, followInNode } from './followers.ts';
import { servePage } from './page.ts';

/** What to do to a server while clients follow it. */
export type KillPlan = {
  kills: number;
  /** At least so many events happen meanwhile. */
  events: number;
  random: () => number;
  /** Without it, only Node.js follows. */
  browser: Browser | null;
  databaseUrl?: string | undefined;
  onKill?: (kill: number) => void;
};

/** What a follower has seen of the events that happened. */
export type Seen = {
  name: string;
  events: number;
  missed: number;
  doubled: number;
  opened: number;
};

const USER = 'followed';
const LONGEST_PAUSE = 300;
/** How long a follower may take to see what has happened, in milliseconds. */
const CAUGHT_UP_WITHIN = 30_000;

/** Kills a server again and again while one client writes to it and others follow, and counts what they have seen. */
export async function followThroughKills(plan: KillPlan): Promise<Seen[]> {
  const { kills, events, random, browser } = plan;
  await using page = await servePage();
  await using place = await makeServerPlace(plan.databaseUrl, {
    PORT: String(await freePort()),
    CORS_ORIGINS: page.origin,
  });
  let server = await place.start();
  const { apiKey } = server;
  const url = server.url;
  const followed = { url, apiKey, userId: USER };
  await using node = await followInNode(followed);
  await using tab = browser && (await followInBrowser(browser, page.origin, followed));
  const followers = [node, ...(tab ? [tab] : [])];

  const writer = createMemory({ url, apiKey, retries: 1_000, timeout: 120_000 }).as(USER);
  await using writing = keepWriting(writer);
  for (let kill = 1; kill <= kills; kill += 1) {
    const goal = (events * kill) / (kills + 1);
    while ((await node.numbers()).length < goal) await Promise.race([delay(10), writing.failed]);
    await delay(random() * LONGEST_PAUSE);
    server.kill('SIGKILL');
    await server.exited;
    plan.onKill?.(kill);
    server = await place.start();
  }
  while ((await node.numbers()).length < events) await Promise.race([delay(10), writing.failed]);
  await writing[Symbol.asyncDispose]();
  // What is used here ends with this function.
  return await Promise.all(
    followers.map((follower) => check(follower, () => lastEventOf(server, USER))),
  );
}

/** Says one thing after the other until it is disposed. */
function keepWriting(memory: Memory) {
  let isOver = false;
  const work = (async () => {
    for (let count = 1; !isOver; count += 1) {
      await memory.remember(`This is the remark number ${count}.`, { channel: 'sms' });
    }
  })();
  // Rejects only: what waits for it goes on while all is well.
  const failed = work.then(() => new Promise<never>(() => {}));
  failed.catch(() => undefined);
  return {
    failed,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await work;
    },
  };
}

/** Waits until a follower has seen all events, and counts what it has not, or more than once. */
async function check(follower: Follower, lastEvent: () => Promise<number>): Promise<Seen> {
  const deadline = performance.now() + CAUGHT_UP_WITHIN;
  let numbers = await follower.numbers();
  // Background steps may still add some.
  while (performance.now() < deadline && (numbers.at(-1) ?? 0) < (await lastEvent())) {
    await delay(100);
    numbers = await follower.numbers();
  }
  const last = await lastEvent();
  const distinct = new Set(numbers);
  return {
    name: follower.name,
    events: last,
    missed: Array.from({ length: last }, (_, index) => index + 1).filter((n) => !distinct.has(n))
      .length,
    doubled: numbers.length - distinct.size,
    opened: follower.opened(),
  };
}
