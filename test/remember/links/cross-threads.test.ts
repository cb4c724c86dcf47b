import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Overtaken } from '../../../src/domain/core/errors.ts';
import { summarizeCrossThread } from '../../../src/remember/links/summarize-cross-thread.ts';
import { FORGET_MEMORY, talk } from '../../support/episodes.ts';
import { FLAT, kindsOf, linksOf, PARROT, rate, tellThreads } from '../../support/links.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

const OUTDATED = {
  name: 'test-outdated',
  text: `UPDATE episodes SET compacted_at = NULL WHERE user_id = $1 AND kind = 'CROSS_THREAD' RETURNING id`,
};
const COMPACTED_LATER = {
  name: 'test-compacted-later',
  text: `UPDATE episodes SET compacted_at = compacted_at + interval '1 s' WHERE user_id = $1 AND ordinal = 0 AND thread_id IS NOT NULL`,
};

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it('two episodes that are linked become one; ratings separate and join threads again', async () => {
  const client = await world.user('meet');
  await tellThreads(world, client, [FLAT[0], FLAT[1], PARROT, [PARROT[0] ?? '', 'Is Kiki ill?']]);
  const before = await linksOf(client);
  expect(before.episodes).toHaveLength(2);
  const bridge = before.links.find(
    ({ thread, earlierThread }) =>
      thread.id === before.threads[2]?.id && earlierThread.id === before.threads[1]?.id,
  );
  expect(bridge?.verdict).toBe('DONT_LINK');
  expect(await rate(client, bridge?.id ?? '', 'INCORRECT')).toEqual({
    __typename: 'Link',
    outcome: 'INCORRECT',
    sign: 'RATED',
    joins: true,
  });
  await world.settle();
  const met = await linksOf(client);
  expect(met.episodes).toHaveLength(1);
  expect(met.episodes[0]?.threads).toHaveLength(4);
  expect(kindsOf(met.events)).toContain('CROSS_THREAD_MERGED');
  expect(met.episodes[0]?.summary).toMatch(/flat.*Kiki|Kiki.*flat/is);

  await rate(client, bridge?.id ?? '', 'UNKNOWN');
  await world.settle();
  const parted = await linksOf(client);
  expect(parted.episodes.map(({ threads }) => threads.length).sort()).toEqual([2, 2]);
  for (const { summary } of parted.episodes) expect(summary).not.toMatch(/flat.*Kiki|Kiki.*flat/is);
  const stranger = await world.user('meet-stranger');
  expect(await rate(stranger, bridge?.id ?? '', 'CORRECT')).toMatchObject({ code: 'NOT_FOUND' });
});

it('a cross-thread episode is summarised again when one of its threads has a new summary, also if that comes while it is read', async () => {
  const client = await world.user('told-again');
  world.now = new Date('2026-03-02T08:00:00Z');
  await tellThreads(world, client, [FLAT[0], FLAT[1]]);
  const summariesOf = async () =>
    kindsOf((await linksOf(client)).events).filter((kind) => kind === 'CROSS_THREAD_SUMMARIZED')
      .length;
  expect(await summariesOf()).toBe(1);
  const { reasoner, db } = world.ctx;
  let reads = 0;
  world.with({
    reasoner: {
      ...reasoner,
      compact: async (input, call) => {
        const isBoth = input.turns.length === 4;
        reads += isBoth ? 1 : 0;
        if (isBoth && reads === 1) await db.system(COMPACTED_LATER, [client.userId]);
        return reasoner.compact(input, call);
      },
    },
  });
  world.now = new Date('2026-03-04T08:00:00Z');
  await world.settle();
  world.restore();
  expect(reads).toBeGreaterThan(1);
  expect(await summariesOf()).toBeGreaterThan(1);
});

it('a summary that was made from a summary that was replaced meanwhile is not stored', async () => {
  const client = await world.user('replaced-meanwhile');
  world.now = new Date('2026-03-02T08:00:00Z');
  await tellThreads(world, client, [FLAT[0], FLAT[1]]);
  world.now = new Date('2026-03-04T08:00:00Z');
  await world.settle();
  const { reasoner, db } = world.ctx;
  const [episode] = await db.system<{ id: number }>(OUTDATED, [client.userId]);
  const summarize = () => summarizeCrossThread(world.ctx, client.userId, episode?.id ?? 0);
  world.with({
    reasoner: {
      ...reasoner,
      compact: async (input, call) => {
        await db.system(COMPACTED_LATER, [client.userId]);
        return reasoner.compact(input, call);
      },
    },
  });
  await expect(summarize()).rejects.toThrow(Overtaken);
  world.restore();
  expect(await summarize()).toBe('done');
});

it('a link rated INCORRECT is undone, with its episode', async () => {
  const client = await world.user('undone');
  await tellThreads(world, client, [FLAT[0], FLAT[1]]);
  const [link] = (await linksOf(client)).links;
  await rate(client, link?.id ?? '', 'INCORRECT');
  await world.settle();
  const { episodes, threads, links, events } = await linksOf(client);
  expect(episodes).toEqual([]);
  expect(threads.map(({ crossThreadEpisode }) => crossThreadEpisode)).toEqual([null, null]);
  expect(links).toMatchObject([{ verdict: 'LINK', outcome: 'INCORRECT', joins: false }]);
  expect(kindsOf(events)).toEqual(expect.arrayContaining(['LINK_RATED', 'CROSS_THREAD_REDUCED']));
});

describe('candidates', () => {
  it('candidates are found by words, names and similarity at any age, and all of the last 24 hours', async () => {
    const client = await world.user('many');
    const others = Array.from({ length: 24 }, (_, at) => [
      `Remind me to water plant number ${at} in the greenhouse.`,
      `Plant ${at} is on the list.`,
    ]);
    await tellThreads(world, client, [FLAT[0], PARROT], { from: '2026-01-05T08:00:00Z' });
    const start = Date.parse('2026-02-01T08:00:00Z');
    const startOf = (at: number) => new Date(start + at * 5 * 3_600_000).toISOString();
    const turns = others.flatMap((texts, at) => talk(texts, startOf(at)));
    world.now = new Date('2026-02-20T07:00:00Z');
    await say(client, { channel: 'sms', turns });
    await world.settle();
    await tellThreads(world, client, [FLAT[1]], { from: '2026-02-20T08:00:00Z' });
    const { links, threads } = await linksOf(client);
    const newest = links.filter(({ thread }) => thread.id === threads.at(-1)?.id);
    expect(newest).toHaveLength(3);
    const [best] = newest.toSorted((a, b) => b.fusedScore - a.fusedScore);
    expect(best?.parts.entity).toBeGreaterThan(0.8);
    expect(best?.parts.topic).toBeGreaterThan(0.8);
    expect(best?.parts.recency).toBeNull();
    expect(best?.verdict).toBe('LINK');
  }, 120_000);

  it('a greeting alone is not compared, but the turns after it are', async () => {
    const client = await world.user('greeter');
    await tellThreads(world, client, [FLAT[0], ['Hi!']], { from: '2026-04-01T08:00:00Z' });
    expect((await linksOf(client)).links).toEqual([]);
    await say(client, {
      channel: 'sms',
      turns: [
        {
          text: 'Does the flat in Cedofeita have a balcony?',
          occurredAt: '2026-04-01T09:00:30Z',
        },
      ],
    });
    await world.settle();
    expect((await linksOf(client)).links).toMatchObject([{ verdict: 'LINK', turns: 2 }]);
  });
});

const DUMP = `
SELECT string_agg(query_to_xml(format('SELECT * FROM %I WHERE user_id = %L', table_name, $1::text), true, false, '')::text, '') AS dump
FROM information_schema.columns WHERE column_name = 'user_id' AND table_schema = current_schema()`;

describe('what is forgotten', () => {
  it.each(['thread', 'turn', 'episode'] as const)(
    'after forgetting %s, no reason, signal or summary of a link contains its words',
    async (what) => {
      const userId = `forget-${what}`;
      const client = await world.user(userId);
      const secret = ['Does the flat in Cedofeita allow my tarantula?', 'A tarantula is fine.'];
      await tellThreads(world, client, [FLAT[0], secret]);
      const before = await linksOf(client);
      expect(before.episodes).toHaveLength(1);
      expect(JSON.stringify(before)).toMatch(/tarantula/i);
      const turns = before.threads[1]?.turns.edges.map(({ node }) => node.id) ?? [];
      const inputs = {
        thread: [{ threadId: before.threads[1]?.id ?? '' }],
        turn: turns.map((turnId) => ({ turnId })),
        episode: [{ episodeId: before.episodes[0]?.id ?? '' }],
      }[what];
      for (const input of inputs) {
        const { forget } = await client.execute(FORGET_MEMORY, { input });
        expect(forget.__typename).toBe('ForgottenCounts');
        const { episodes, links } = await linksOf(client);
        expect(episodes.every(({ summary }) => summary === null)).toBe(true);
        expect(links.every(({ reasoning }) => reasoning === null)).toBe(true);
      }
      await world.settle();
      const after = await linksOf(client);
      expect([after.episodes, after.links]).toEqual([[], []]);
      expect(after.threads).toHaveLength(what === 'episode' ? 0 : 1);
      const { rows } = await world.ctx.db.pool.query(DUMP, [userId]);
      expect(rows[0].dump).not.toMatch(/tarantula/i);
    },
  );

  it('threads that were linked by words which are forgotten are compared anew and parted', async () => {
    const client = await world.user('forget-the-link');
    const linking = ['Does the flat in Cedofeita allow my tarantula?', 'A tarantula is fine.'];
    const other = ['The bakery sells rye bread on Mondays.', 'Rye bread keeps for a week.'];
    await tellThreads(world, client, [FLAT[0], [...linking, ...other]]);
    const before = await linksOf(client);
    expect(before.links).toMatchObject([{ verdict: 'LINK' }]);
    const turns = before.threads[1]?.turns.edges.map(({ node }) => node.id) ?? [];
    for (const turnId of turns.slice(0, 2)) {
      await client.execute(FORGET_MEMORY, { input: { turnId } });
    }
    await world.settle();
    const after = await linksOf(client);
    expect(after.links.map(({ verdict }) => verdict)).not.toContain('LINK');
    expect(after.episodes).toEqual([]);
    expect(after.threads).toHaveLength(2);
  });

  it('after forgetting a thread the rest of an episode stays linked and is summarised again', async () => {
    const client = await world.user('forget-one');
    await tellThreads(world, client, FLAT);
    const before = await linksOf(client);
    const threadId = before.threads[2]?.id ?? '';
    const { forget } = await client.execute(FORGET_MEMORY, { input: { threadId } });
    expect(forget).toMatchObject({ threads: 1, links: 2 });
    expect((await linksOf(client)).episodes).toMatchObject([{ summary: null }]);
    await world.settle();
    const { episodes, threads } = await linksOf(client);
    expect(episodes.map((episode) => [episode.id, episode.lastTurn])).toEqual([
      [before.episodes[0]?.id, 4],
    ]);
    expect(episodes[0]?.summary).toMatch(/\w/);
    expect(threads).toHaveLength(2);
  });
});
