import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordImpression } from '../../../src/recall/record-impression.ts';
import {
  DECAY,
  localThread,
  notesOf,
  RATE,
  reviewsOf,
  showAndTalk,
  teller,
} from '../../support/reviews.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

const states = (episodes: Awaited<ReturnType<typeof reviewsOf>>['episodes']) =>
  episodes.map(({ stability, difficulty, lastReviewedAt }) => [
    stability,
    difficulty,
    lastReviewedAt,
  ]);

describe('review', () => {
  it('retrieval only records impressions; the next segmentation of the thread grades them and updates FSRS', async () => {
    const { client, shown } = await teller(world, 'ada');
    const before = await reviewsOf(client);
    const at = '2026-03-12T15:00:00Z';
    const [roof = 0, car = 0] = shown;
    const twice = [roof, car, roof];
    const { threadId, close, last } = await showAndTalk(world, client, twice, { at });
    await recordImpression(world.ctx, 'ada', {
      threadId: localThread(threadId),
      episodeIds: [car],
      now: world.now,
    });
    await world.settle();
    expect(await notesOf(world, client)).toHaveLength(2);
    const noted = await reviewsOf(client);
    expect(states(noted.episodes)).toEqual(states(before.episodes));
    expect(noted.decisions).toEqual([]);

    await close();
    await world.settle();
    const { episodes, decisions, jobs } = await reviewsOf(client);
    const [used, unused, notShown] = episodes;
    expect(used?.reviews).toMatchObject([
      {
        number: 1,
        rating: expect.stringMatching(/GOOD|EASY/),
        at: last,
        byHand: false,
        generatedBy: 'EXTRACTIVE',
        model: 'extractive/1',
        before: { stability: before.episodes[0]?.stability },
        after: { stability: used?.stability, difficulty: used?.difficulty },
        thread: { id: threadId },
      },
    ]);
    expect(used?.stability).toBeGreaterThan(before.episodes[0]?.stability ?? Number.NaN);
    expect(unused?.reviews).toMatchObject([{ rating: 'AGAIN' }]);
    expect(unused?.stability).toBeLessThan(before.episodes[1]?.stability ?? Number.NaN);
    expect(unused?.difficulty).toBeGreaterThan(before.episodes[1]?.difficulty ?? Number.NaN);
    expect([used, unused].map((episode) => episode?.lastReviewedAt)).toEqual([last, last]);
    expect(notShown).toMatchObject({ reviews: [], lastReviewedAt: null });
    expect(decisions).toMatchObject([
      {
        decision: expect.stringMatching(
          /^memory\.review \((?:GOOD|EASY) by extractive\/1; stability [\d.]+ → [\d.]+ days, difficulty [\d.]+ → [\d.]+\)$/,
        ),
        episode: { id: used?.id },
        thread: { id: threadId },
      },
      { decision: expect.stringContaining('AGAIN'), episode: { id: unused?.id } },
    ]);
    expect(jobs.map(({ step }) => step)).not.toContain('review-retrieved');
    expect(await notesOf(world, client)).toEqual([]);
  });

  it('an episode is not reviewed twice on a day of the user, nor if it was reviewed since it was shown', async () => {
    const { client, shown } = await teller(world, 'grace');
    const review = async (at: string) => {
      const { close } = await showAndTalk(world, client, shown.slice(0, 1), { at });
      await close();
      await world.settle();
      const { episodes, decisions } = await reviewsOf(client);
      return { times: episodes[0]?.reviews.length, last: decisions.at(-1)?.decision };
    };
    // 04:30 and 03:30 UTC are two days, and one in New York.
    expect(await review('2026-03-10T14:00:00Z')).toMatchObject({ times: 1 });
    expect(await review('2026-03-11T03:30:00Z')).toEqual({
      times: 1,
      last: 'memory.review (skipped: reviewed that day)',
    });
    expect(await review('2026-03-11T05:00:00Z')).toMatchObject({ times: 2 });

    const at = '2026-03-20T14:00:00Z';
    const { close } = await showAndTalk(world, client, shown.slice(0, 1), { at });
    world.now = new Date('2026-03-21T14:00:00Z');
    const id = (await reviewsOf(client)).episodes[0]?.id ?? '';
    await client.execute(RATE, { id, rating: 'HARD' });
    await close();
    await world.settle();
    const { episodes, decisions } = await reviewsOf(client);
    expect(decisions.at(-1)?.decision).toBe('memory.review (skipped: reviewed since it was shown)');
    expect(episodes[0]?.reviews.map(({ byHand }) => byHand)).toEqual([true, false, false]);
  });

  it('an impression is not rated if no talk followed or the episode no longer exists', async () => {
    const { client, shown } = await teller(world, 'silent');
    const at = '2026-03-12T15:00:00Z';
    const { close } = await showAndTalk(world, client, shown.slice(0, 1), { at, talk: [] });
    await close();
    await world.settle();
    const { episodes, decisions } = await reviewsOf(client);
    expect(decisions.map(({ decision }) => decision)).toEqual([
      'memory.review (skipped: no talk followed)',
    ]);
    expect(episodes[0]?.reviews).toEqual([]);
    expect(await notesOf(world, client)).toEqual([]);
  });

  it('recording an impression is one statement, ignores unknown episodes and never fails', async () => {
    const { client, shown } = await teller(world, 'noted');
    const stranger = await teller(world, 'stranger');
    const { threadId } = await showAndTalk(world, client, [], { at: '2026-03-12T15:00:00Z' });
    const note = (thread: number, ids: number[]) =>
      recordImpression(world.ctx, 'noted', { threadId: thread, episodeIds: ids, now: world.now });
    world.statements.length = 0;
    await note(localThread(threadId), [shown[1] ?? 0, 9_999]);
    expect(world.sent(/^reviews-/)).toEqual(['reviews-record-impressions']);
    expect(world.statements.length).toBeLessThanOrEqual(3);
    await note(9_999, shown);
    await recordImpression(world.ctx, 'nobody', {
      threadId: 1,
      episodeIds: stranger.shown,
      now: world.now,
    });
    const own = { thread_id: localThread(threadId), episode_id: shown[1] };
    expect(await notesOf(world, client)).toEqual([own]);

    const logged: unknown[] = [];
    const broken = {
      ...world.ctx,
      db: { ...world.ctx.db, asUser: () => Promise.reject(new Error('the database is away')) },
      logger: { warn: (...parts: unknown[]) => void logged.push(parts) },
    } as never;
    await recordImpression(broken, 'noted', { threadId: 1, episodeIds: shown, now: world.now });
    expect(logged).toMatchObject([[{ episodes: 3 }, 'memory.note_failed']]);
  });
});

describe('rateMemory', () => {
  it('rateMemory updates FSRS at any time; a review never precedes the last one', async () => {
    const { client } = await teller(world, 'by-hand');
    const rate = async (rating: 'AGAIN' | 'EASY', now: string) => {
      world.now = new Date(now);
      const id = (await reviewsOf(client)).episodes[0]?.id ?? '';
      return (await client.execute(RATE, { id, rating })).rateMemory;
    };
    const easy = await rate('EASY', '2026-03-10T12:00:00Z');
    expect(easy).toMatchObject({
      __typename: 'Episode',
      lastReviewedAt: '2026-03-10T12:00:00.000Z',
    });
    const early = await rate('AGAIN', '2026-03-09T12:00:00Z');
    expect(early).toMatchObject({ lastReviewedAt: '2026-03-10T12:00:00.000Z' });
    const { episodes, decisions } = await reviewsOf(client);
    expect(episodes[0]?.reviews).toMatchObject([
      { number: 2, rating: 'AGAIN', byHand: true, generatedBy: null, thread: null },
      { number: 1, rating: 'EASY', byHand: true },
    ]);
    expect(decisions.map(({ decision }) => decision)).toEqual([
      expect.stringMatching(/^memory\.review \(EASY by hand; /),
      expect.stringMatching(/^memory\.review \(AGAIN by hand; /),
    ]);
  });

  it('rateMemory names what cannot be rated', async () => {
    const { client, shown } = await teller(world, 'refused');
    const stranger = await world.user('refused-stranger');
    const id = (await reviewsOf(client)).episodes[0]?.id ?? '';
    const rate = async (who: Client, what: string) =>
      (await who.execute(RATE, { id: what, rating: 'GOOD' })).rateMemory;
    expect(await rate(stranger, id)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await rate(client, 'nonsense')).toMatchObject({ code: 'NOT_FOUND' });
    await world.ctx.db.pool.query(
      `UPDATE episodes SET capture = 'SKIPPED' WHERE user_id = 'refused' AND id = $1`,
      [shown[0]],
    );
    expect(await rate(client, id)).toMatchObject({ issues: [{ path: 'id' }] });
  });
});

it('retrievability can be queried for any time, and plotted', async () => {
  const { client } = await teller(world, 'curve');
  const [episode] = (await reviewsOf(client)).episodes;
  const id = episode?.id ?? '';
  const ask = async (asOf: string, days?: number) =>
    (await client.execute(DECAY, { id, asOf, ...(days ? { days } : {}) })).episode;
  expect((await ask(episode?.endedAt ?? ''))?.retrievability).toBe(1);
  const curve = await ask('2026-03-20T12:00:00Z', 60);
  expect(curve?.decay).toHaveLength(61);
  expect(curve?.decay?.[0]).toEqual({
    day: 0,
    at: '2026-03-20T12:00:00.000Z',
    retrievability: curve?.retrievability,
  });
  const likely = curve?.decay?.map(({ retrievability }) => retrievability) ?? [];
  expect(likely).toEqual(likely.toSorted((a, b) => b - a));
  expect(likely.at(-1)).toBeLessThan(likely[0] ?? 0);
  // Nothing is deleted for its age.
  const centuries = await ask('2226-03-20T12:00:00Z');
  expect(centuries?.retrievability).toBeGreaterThan(0);
  world.now = new Date('2026-03-21T12:00:00Z');
  await client.execute(RATE, { id, rating: 'EASY' });
  const after = await ask('2026-03-22T12:00:00Z');
  expect(after?.retrievability).toBeGreaterThan(likely[2] ?? 1);
  expect(after?.decay).toHaveLength(31);
  const query = `{ episode(id: "${id}") { decay(days: 0) { day } } }`;
  expect((await client.post({ query })).body.errors?.[0]?.extensions?.code).toBe('INVALID_INPUT');
});
