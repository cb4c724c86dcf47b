import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consolidate, echo, knowledgeOf, recorder } from '../../support/consolidation.ts';
import { CLOSE, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { talkDaily, talkOf, talkOn, talkOpenly } from '../../support/samples/days.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
  world.now = new Date('2026-03-31T12:00:00Z');
});

describe('when episodes are summarised', () => {
  it('3 episodes are summarised into one semantic memory when a session ends', async () => {
    const client = await recorder(world, 'session');
    await talkOn(world, client, 1, 2);
    expect((await knowledgeOf(client)).memories).toEqual([]);
    await talkOn(world, client, 3, 3);
    const { memories, episodes, events } = await knowledgeOf(client);
    expect(memories).toEqual([
      {
        id: expect.any(String),
        summary: expect.stringMatching(/Porto|short answers|TypeScript/),
        startedAt: '2026-03-01T09:00:00.000Z',
        endedAt: '2026-03-03T09:01:00.000Z',
        episodeCount: 3,
        turnCount: 6,
        compressionRatio: { turnsPerMemory: 6, episodesPerMemory: 3 },
        stale: false,
        generatedBy: 'EXTRACTIVE',
        model: 'extractive/1',
        recordedAt: world.now.toISOString(),
        episodes: episodes.map(({ id }) => id),
      },
    ]);
    const sentences = memories[0]?.summary?.split(/[.!?](?:\s|$)/).filter(Boolean) ?? [];
    expect(sentences.length).toBeLessThanOrEqual(5);
    expect(events).toContainEqual({
      kind: 'SEMANTIC_MEMORY_FORMED',
      decision: 'memory.summarize (3 episodes, 6 turns, by extractive/1)',
    });
  });

  it('episodes of a session that goes on are not counted as those of one that has ended', async () => {
    const client = await recorder(world, 'open');
    await talkOn(world, client, 1, 2);
    await talkOpenly(world, client);
    const before = await knowledgeOf(client);
    expect(before.episodes.length).toBeGreaterThanOrEqual(3);
    expect(before.memories).toEqual([]);
    world.now = new Date('2026-03-31T12:00:00Z');
    await world.settle();
    const { memories, episodes } = await knowledgeOf(client);
    expect(memories).toMatchObject([{ episodeCount: episodes.length }]);
  });

  it('a session ends with half an hour of silence in all threads, not with one of them', async () => {
    const client = await recorder(world, 'silence');
    await talkOn(world, client, 1, 2);
    const later = (texts: string[], time: string) => talk(texts, `2026-03-03T${time}:00Z`);
    const [question = '', answer = ''] = talkOf(3).map(({ text }) => text);
    world.now = new Date('2026-03-03T09:40:00Z');
    await say(client, { channel: 'sms', turns: later([question, answer], '09:00') });
    await say(client, {
      channel: 'web',
      newThread: { title: 'Other' },
      turns: later(['Hm.'], '09:25'),
    });
    await world.settle();
    expect((await knowledgeOf(client)).memories).toEqual([]);
    world.now = new Date('2026-03-03T13:00:00Z');
    await world.settle();
    expect((await knowledgeOf(client)).memories).toMatchObject([{ episodeCount: 4 }]);
  });

  it('after a thread was closed by hand, consolidation waits for the end of the session', async () => {
    const client = await recorder(world, 'closed');
    await talkOn(world, client, 1, 2);
    world.now = new Date('2026-03-03T09:02:00Z');
    const newThread = { title: 'Short' };
    const [turn] = await say(client, { channel: 'web', newThread, turns: talkOf(3) });
    await client.execute(CLOSE, { threadId: turn?.thread?.id ?? '' });
    await world.settle();
    expect((await knowledgeOf(client)).memories).toEqual([]);
    world.now = new Date('2026-03-03T09:31:00Z');
    await world.settle();
    expect((await knowledgeOf(client)).memories).toMatchObject([{ episodeCount: 3 }]);
  });

  it('the same turns make the same memories, whenever the steps run', async () => {
    const live = await recorder(world, 'live');
    await talkDaily(world, live, 1, 8);
    const imported = await recorder(world, 'imported');
    await talkOn(world, imported, 1, 8);
    const derived = async (client: Client) => {
      const { memories, profile } = await knowledgeOf(client);
      return {
        prose: profile?.prose,
        memories: memories.map(({ summary, startedAt, endedAt, episodeCount }) => ({
          summary,
          startedAt,
          endedAt,
          episodeCount,
        })),
      };
    };
    const fromLive = await derived(live);
    expect(fromLive).toMatchObject({
      prose: expect.any(String),
      memories: [{ episodeCount: 3 }, { episodeCount: 3 }],
    });
    expect(await derived(imported)).toEqual(fromLive);
  });

  it('8 episodes trigger consolidation at any time, by default', async () => {
    const { consolidation } = world.ctx.config;
    using _ = world.configured({ consolidation: { ...consolidation, sessionEpisodes: 200 } });
    const client = await recorder(world, 'eight');
    await talkOn(world, client, 1, 7);
    expect((await knowledgeOf(client)).memories).toEqual([]);
    await talkOn(world, client, 8, 8);
    const { memories } = await knowledgeOf(client);
    expect(memories).toMatchObject([
      { episodeCount: 8, turnCount: 16, compressionRatio: { turnsPerMemory: 16 } },
    ]);
  });

  it('on demand one episode is enough, and the answer says what was done', async () => {
    const client = await recorder(world, 'by-hand');
    await talkOn(world, client, 1, 1);
    const answer = await consolidate(client);
    const { memories, episodes } = await knowledgeOf(client);
    expect(answer).toEqual({
      __typename: 'ConsolidationPayload',
      episodesProcessed: 1,
      semanticMemoriesCreated: 1,
      semanticMemoriesRebuilt: 0,
      semanticMemory: { id: memories[0]?.id, summary: memories[0]?.summary },
      compressionRatio: { turnsPerMemory: 2, episodesPerMemory: 1 },
      facts: expect.objectContaining({ episodes: 1, turns: 2 }),
    });
    expect(episodes).toMatchObject([{ summarizedInto: { id: memories[0]?.id } }]);
  });

  it('on demand, with nothing to do, the answer says so', async () => {
    const nothing = {
      __typename: 'ConsolidationPayload',
      episodesProcessed: 0,
      semanticMemoriesCreated: 0,
      semanticMemoriesRebuilt: 0,
      semanticMemory: null,
      compressionRatio: null,
      facts: { episodes: 0, turns: 0, recorded: 0, superseding: 0, reinforced: 0, refused: 0 },
    };
    expect(await consolidate(await world.user('nobody'))).toEqual(nothing);
    const client = await recorder(world, 'twice');
    await talkOn(world, client, 1, 1);
    await consolidate(client);
    expect(await consolidate(client)).toEqual(nothing);
    expect((await knowledgeOf(client)).memories).toHaveLength(1);
  });
});

describe('what a summary is made of', () => {
  it('a summary covers all episodes since the last one, in order of time, with earlier summaries as context', async () => {
    const client = await recorder(world, 'since');
    await talkOn(world, client, 1, 3);
    const shown = echo(world);
    await talkOn(world, client, 4, 5);
    expect(shown).toEqual([]);
    await talkOn(world, client, 6, 6);
    const { memories, episodes } = await knowledgeOf(client);
    expect(shown).toMatchObject([
      {
        episodes: episodes.slice(3).map(({ summary }) => ({ summary })),
        existing: [memories[1]?.summary],
      },
    ]);
    expect(memories.map((memory) => memory.episodes)).toEqual([
      episodes.slice(3).map(({ id }) => id),
      episodes.slice(0, 3).map(({ id }) => id),
    ]);
  });

  it('an episode can be consolidated to facts without being summarised, and vice versa', async () => {
    const client = await recorder(world, 'apart');
    const { consolidation } = world.ctx.config;
    {
      using _ = world.configured({ consolidation: { ...consolidation, sessionEpisodes: 200 } });
      await talkOn(world, client, 1, 3);
      expect((await knowledgeOf(client)).episodes).toMatchObject(
        Array(3).fill({ consolidatedAt: world.now.toISOString(), summarizedInto: null }),
      );
    }
    {
      using _ = world.configured({ consolidation: { ...consolidation, factEpisodes: 200 } });
      await talkOn(world, client, 4, 6);
    }
    const { episodes } = await knowledgeOf(client);
    expect(episodes.map(({ consolidatedAt }) => consolidatedAt !== null)).toEqual([
      ...[true, true, true],
      ...[false, false, false],
    ]);
    expect(episodes.every(({ summarizedInto }) => summarizedInto !== null)).toBe(true);
  });

  it('each episode is summarised once, whatever runs at the same time', async () => {
    const client = await recorder(world, 'at-once');
    await talkOn(world, client, 1, 2);
    const answers = await Promise.all([consolidate(client), consolidate(client), world.settle()]);
    const made = answers.map((answer) => (answer && 'episodesProcessed' in answer ? answer : null));
    expect(made.reduce((sum, answer) => sum + (answer?.episodesProcessed ?? 0), 0)).toBe(2);
    const { memories, events } = await knowledgeOf(client);
    expect(memories).toMatchObject([{ episodeCount: 2 }]);
    expect(events.filter(({ kind }) => kind === 'SEMANTIC_MEMORY_FORMED')).toHaveLength(1);
  });

  it("no user's episodes are consolidated into another's memory", async () => {
    const client = await recorder(world, 'mine');
    const other = await recorder(world, 'theirs');
    await talkOn(world, client, 1, 1);
    await talkOn(world, other, 6, 6);
    expect(await consolidate(other, 'mine')).toMatchObject({ code: 'NOT_FOUND' });
    const key = await world.key();
    expect(await consolidate(key)).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await consolidate(key, 'mine')).toMatchObject({ episodesProcessed: 1 });
    expect((await knowledgeOf(other)).memories).toEqual([]);
    await consolidate(other);
    expect((await knowledgeOf(other)).memories[0]?.summary).not.toMatch(/Porto/);
  });
});
