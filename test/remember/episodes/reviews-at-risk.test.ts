import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordImpression } from '../../../src/recall/record-impression.ts';
import { reviewRetrieved } from '../../../src/remember/episodes/review-retrieved.ts';
import { segmentThread } from '../../../src/remember/threads/segment-thread.ts';
import { rowsWith } from '../../support/database/dump.ts';
import { FORGET_MEMORY } from '../../support/episodes.ts';
import type { ForgetInput } from '../../support/generated/graphql.ts';
import {
  localThread,
  notesOf,
  RATE,
  reviewsOf,
  showAndTalk,
  teller,
} from '../../support/reviews.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

it('forgetting the turns of a review removes it and restores the FSRS state', async () => {
  const { client, shown } = await teller(world, 'forgets');
  const first = await reviewsOf(client);
  const threads: string[] = [];
  for (const at of ['2026-03-10T14:00:00Z', '2026-03-20T14:00:00Z']) {
    const { threadId, close } = await showAndTalk(world, client, shown.slice(0, 1), { at });
    await close();
    await world.settle();
    threads.push(threadId);
    if (threads.length === 1) {
      world.now = new Date('2026-03-15T14:00:00Z');
      const id = first.episodes[0]?.id ?? '';
      await client.execute(RATE, { id, rating: 'HARD' });
    }
  }
  const both = await reviewsOf(client);
  expect(both.episodes[0]?.reviews).toHaveLength(3);
  const forget = async (input: ForgetInput) =>
    (await client.execute(FORGET_MEMORY, { input })).forget;
  expect(await forget({ threadId: threads[0] ?? '' })).toMatchObject({ reviews: 1 });
  const left = (await reviewsOf(client)).episodes[0];
  expect(left?.reviews.map(({ number, rating }) => [number, rating])).toEqual([
    [3, both.episodes[0]?.reviews[0]?.rating],
    [2, 'HARD'],
  ]);
  expect(left?.reviews[1]?.before.stability).toBe(first.episodes[0]?.stability);
  expect(left?.reviews[0]?.before).toEqual(left?.reviews[1]?.after);
  expect(left?.reviews[0]?.after).toEqual({
    stability: left?.stability,
    difficulty: left?.difficulty,
  });
  expect(left?.stability).not.toBe(both.episodes[0]?.stability);
  expect(left?.lastReviewedAt).toBe(both.episodes[0]?.lastReviewedAt);

  await recordImpression(world.ctx, 'forgets', {
    threadId: localThread(threads[1] ?? ''),
    episodeIds: shown,
    now: world.now,
  });
  expect(await forget({ episodeId: left?.id ?? '' })).toMatchObject({ reviews: 2 });
  expect(await notesOf(world, client)).toHaveLength(2);
  expect(await forget({ threadId: threads[1] ?? '' })).toMatchObject({ reviews: 0 });
  expect(await notesOf(world, client)).toEqual([]);
  expect(await rowsWith(world, 'forgets')).not.toContain('episode_reviews');
});

it('a rating is not stored if its turns were forgotten meanwhile', async () => {
  const { client, shown } = await teller(world, 'meanwhile');
  const at = '2026-03-10T14:00:00Z';
  const { close } = await showAndTalk(world, client, shown.slice(0, 2), { at });
  const { episodes } = await reviewsOf(client);
  const { reasoner } = world.ctx;
  let asked = 0;
  world.with({
    reasoner: {
      ...reasoner,
      rateRetrieved: async (input, call) => {
        asked += 1;
        if (asked === 1) {
          await client.execute(FORGET_MEMORY, { input: { episodeId: episodes[0]?.id ?? '' } });
        }
        return reasoner.rateRetrieved(input, call);
      },
    },
  });
  await close();
  await world.settle();
  world.restore();
  const after = await reviewsOf(client);
  expect(asked).toBe(2);
  expect(after.decisions).toHaveLength(1);
  const times = after.episodes.map(({ reviews }) => reviews.length);
  expect(times.slice(0, 2)).toEqual([1, 0]);
});

it('a kill before or after a commit neither loses nor duplicates a review', async () => {
  const { client, shown } = await teller(world, 'killed');
  const at = '2026-03-10T14:00:00Z';
  const { threadId, close } = await showAndTalk(world, client, shown, { at });
  await close();
  const run = (ctx: World['ctx']) => reviewRetrieved(ctx, 'killed', localThread(threadId));
  await segmentThread(world.ctx, 'killed', localThread(threadId));
  const { db } = world.ctx;
  const die = () => Promise.reject(new Error('killed'));
  const dying = (when: 'before' | 'after'): World['ctx'] => ({
    ...world.ctx,
    db: {
      ...db,
      asUser: async (userId, work, options) => {
        const diesBefore = options?.lock && when === 'before';
        const result = await db.asUser(
          userId,
          (tx) => work(diesBefore ? { ...tx, queryAndCommit: die } : tx),
          options,
        );
        return options?.lock ? die() : result;
      },
    },
  });
  await expect(run(dying('before'))).rejects.toThrow('killed');
  expect((await reviewsOf(client)).decisions).toEqual([]);
  await expect(run(dying('after'))).rejects.toThrow('killed');
  const once = await reviewsOf(client);
  expect(once.episodes.map(({ reviews }) => reviews.length)).toEqual([1, 1, 1]);
  await Promise.all([run(world.ctx), run(world.ctx), world.settle()]);
  const { episodes, decisions } = await reviewsOf(client);
  expect([episodes.slice(0, 3), decisions]).toEqual([once.episodes, once.decisions]);
});
