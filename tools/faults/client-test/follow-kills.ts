import { setTimeout as delay } from 'node:timers/promises';
import { createMemory } from '@mnemograph/client';
import type { Browser } from 'playwright-core';
import { lastEventOf } from '../../../src/cli/support/memory-client.ts';
import { freePort } from '../../support/free-port.ts';
import { makeServerPlace } from '../../support/restartable-server.ts';
import { type Followed, type Follower, followInBrowser, followInNode } from './followers.ts';
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
const IN_FLIGHT = 4;
/** The writer waits for each restart. */
const PATIENT = { retries: 1_000, timeout: 300_000 };
/** How long a follower may see nothing while there is more to see, in milliseconds. */
const STILL = 60_000;

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

  await using writing = keepWriting(followed);
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
  await writing.stop();
  const last = await lastEventOf(server, USER);
  // Not without await: what it uses ends with this function.
  return await Promise.all(followers.map((follower) => check(follower, last)));
}

/** Says things, several at a time and over restarts, until it is stopped. */
function keepWriting({ url, apiKey, userId }: Followed) {
  const end = new AbortController();
  const memory = createMemory({ url, apiKey, ...PATIENT, signal: end.signal }).as(userId);
  let isOver = false;
  let count = 0;
  const lane = async () => {
    while (!isOver) {
      count += 1;
      await memory.remember(`This is the remark number ${count}.`, { channel: 'sms' });
    }
  };
  const work = Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  // Rejects only: what waits for it goes on while all is well.
  const failed = work.then(() => new Promise<never>(() => {}));
  failed.catch(() => undefined);
  return {
    failed,
    async stop() {
      isOver = true;
      await work;
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await work.catch(() => undefined);
    },
  };
}

/** Waits until a follower has seen what has happened by now, and counts what it has not, or more than once. */
async function check(follower: Follower, last: number): Promise<Seen> {
  let numbers = await follower.numbers();
  let movedAt = performance.now();
  while (performance.now() - movedAt < STILL && (numbers.at(-1) ?? 0) < last) {
    await delay(100);
    const now = await follower.numbers();
    if (now.length > numbers.length) movedAt = performance.now();
    numbers = now;
  }
  const distinct = new Set(numbers);
  const happened = Array.from({ length: last }, (_, index) => index + 1);
  return {
    name: follower.name,
    events: last,
    missed: happened.filter((number) => !distinct.has(number)).length,
    doubled: numbers.length - distinct.size,
    opened: follower.opened(),
  };
}
