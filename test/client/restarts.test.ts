import { expect, it } from 'vitest';
import { followThroughKills } from '../../tools/faults/client-test/follow-kills.ts';
import { useBrowser } from '../support/console/browser.ts';

const browser = useBrowser();

it('clients in Node.js and in Chromium see every event once while the server is killed', {
  timeout: 240_000,
}, async () => {
  const plan = { kills: 1, events: 30, random: Math.random, browser: browser() };
  const seen = await followThroughKills(plan);
  expect(seen.map(({ name, missed, doubled }) => ({ name, missed, doubled }))).toEqual([
    { name: 'Node.js', missed: 0, doubled: 0 },
    { name: 'Chromium', missed: 0, doubled: 0 },
  ]);
  for (const { events, opened } of seen) {
    expect(events).toBeGreaterThanOrEqual(30);
    expect(opened).toBeGreaterThanOrEqual(2);
  }
});
