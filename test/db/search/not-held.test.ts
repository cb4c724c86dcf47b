import { expect, it } from 'vitest';
import { talk } from '../../support/episodes.ts';
import { recallAll } from '../../support/recall.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld } from '../../support/world.ts';

const TEXTS = [
  'Rita hung the red lantern over the door.',
  'It was bought in Turku last summer.',
  'The kettle broke again.',
  'The lantern broke as well.',
];

it('an unknown user is loaded at most once', async () => {
  await using world = await createWorld();
  const nobody = await world.user('nobody');
  for (let times = 0; times < 6; times += 1) await recallAll(nobody, { query: 'lantern' });
  expect(world.sent(/^turn-changes/).length).toBeLessThan(2);
});

it('nothing is cached where RECALL_CACHE_MB is 0, nor a memory that is searched by an index', async () => {
  for (const settings of [{ RECALL_CACHE_MB: '0' }, { RECALL_HNSW_FROM: '3' }]) {
    await using other = await createWorld(settings as Record<string, string>);
    const bob = await other.user('bob');
    await say(bob, { channel: 'sms', turns: talk(TEXTS, '2026-02-01T09:00:00Z') });
    await other.settle();
    for (let times = 0; times < 3; times += 1) await recallAll(bob, { query: 'lantern' });
    await other.ctx.turnCache[Symbol.asyncDispose]();
    expect(other.ctx.turnCache.size()).toBe(0);
  }
});
