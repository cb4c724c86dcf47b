import { expect, it } from 'vitest';
import { memoryOf } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld } from '../../support/world.ts';

/** Turns that nothing tells apart. */
const SAME = (count: number) =>
  Array.from({ length: count }, () => ({
    text: 'The tap in the kitchen drips, the washer of the tap is worn.',
  }));

it('the backlog reaches 0 even with an open thread, since its pending turns are not due', async () => {
  await using world = await createWorld();
  world.now = new Date('2026-03-02T09:00:00Z');
  const client = await world.user('waits-for-nothing');
  const turnsToSegment = async () => (await memoryOf(client)).backlog.turnsToSegment;
  for (const count of [4, 5, 18]) {
    await say(client, { channel: 'sms', turns: SAME(count) });
    await world.settle();
    const { thread, backlog } = await memoryOf(client);
    expect(thread.state).toBe('OPEN');
    expect(Object.values(backlog)).toEqual([0, 0, 0, 0, 0]);
  }
  const another = await world.user('has-work');
  await say(another, { channel: 'sms', turns: SAME(20) });
  expect((await memoryOf(another)).backlog.turnsToSegment).toBe(20);
  world.now = new Date('2026-03-02T12:30:00Z');
  expect(await turnsToSegment()).toBeGreaterThan(0);
  await world.settle();
  expect(await turnsToSegment()).toBe(0);
});
