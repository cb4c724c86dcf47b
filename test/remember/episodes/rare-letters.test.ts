import { expect, it } from 'vitest';
import { captureSegments } from '../../../src/remember/episodes/capture-segments.ts';
import { idleThread } from '../../../src/remember/threads/idle-thread.ts';
import { segmentThread } from '../../../src/remember/threads/segment-thread.ts';
import { memoryOf } from '../../support/episodes.ts';
import { CAR, store } from '../../support/samples/conversations.ts';
import { createWorld } from '../../support/world.ts';

/** A word of letters beyond the basic plane, of two UTF-16 units each, that is longer than a term may be. */
const WORD = `a${'𐌰'.repeat(45)}`;

it('talk with a long word of rare letters is captured', async () => {
  await using world = await createWorld({ EMBEDDER: 'none' });
  world.now = new Date('2026-03-20T12:00:00Z');
  const client = await world.user('ada');
  await store(client, '2026-03-02T09:00:00Z', [...CAR, ['USER', `Look: ${WORD}`]]);
  await idleThread(world.ctx, 'ada', 1);
  await segmentThread(world.ctx, 'ada', 1);
  expect(await captureSegments(world.ctx, 'ada')).toBe('done');
  const { segments } = await memoryOf(client);
  expect(segments).toMatchObject([{ capture: 'CREATED', title: expect.any(String) }]);
});

it('a segment with words that the database refuses is captured without them', async () => {
  await using world = await createWorld({ EMBEDDER: 'none' });
  world.now = new Date('2026-03-20T12:00:00Z');
  const client = await world.user('ada');
  await store(client, '2026-03-02T09:00:00Z', CAR);
  await idleThread(world.ctx, 'ada', 1);
  await segmentThread(world.ctx, 'ada', 1);
  const theme = async () => ({ terms: new Set(['\ud800']), said: null, described: null });
  using _replaced = world.with({ rules: { ...world.ctx.rules, theme } });
  expect(await captureSegments(world.ctx, 'ada')).toBe('done');
  const { segments } = await memoryOf(client);
  expect(segments).toMatchObject([{ capture: 'CREATED', title: null }]);
});
