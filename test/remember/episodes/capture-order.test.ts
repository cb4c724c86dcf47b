import { expect, it } from 'vitest';
import { captureSegments } from '../../../src/remember/episodes/capture-segments.ts';
import { idleThread } from '../../../src/remember/threads/idle-thread.ts';
import { segmentThread } from '../../../src/remember/threads/segment-thread.ts';
import { indexTurns } from '../../../src/remember/turns/index-turns.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import { memoryOf } from '../../support/episodes.ts';
import { CAR, DENTIST, store } from '../../support/samples/conversations.ts';
import { createWorld } from '../../support/world.ts';

it.each([
  ['waits for the turns before it of another thread', '2026-03-02T09:00:00Z', true],
  ['does not wait for later turns of another thread', '2026-03-04T09:00:00Z', false],
])('a segment %s to be segmented', async (_, at, waits) => {
  await using world = await createWorld();
  world.now = new Date('2026-03-20T12:00:00Z');
  const client = await world.user('ada');
  await store(client, at, CAR);
  await store(client, '2026-03-03T09:00:00Z', DENTIST);
  await indexTurns(world.ctx, 'ada');
  await embedTurns(world.ctx, 'ada');
  for (const thread of [1, 2]) await idleThread(world.ctx, 'ada', thread);
  const captures = async () => (await memoryOf(client)).segments.map(({ capture }) => capture);

  await segmentThread(world.ctx, 'ada', 2);
  expect(await captures()).toEqual(['PENDING']);
  const soon = new Date(world.now.getTime() + 500);
  expect(await captureSegments(world.ctx, 'ada')).toEqual(waits ? soon : 'done');
  expect(await captures()).toEqual([waits ? 'PENDING' : 'CREATED']);

  await segmentThread(world.ctx, 'ada', 1);
  expect(await captureSegments(world.ctx, 'ada')).toBe('done');
  expect(await captures()).toEqual(['CREATED', 'CREATED']);
});
