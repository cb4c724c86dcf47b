import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FLAT, kindsOf, linksOf, PARROT, tellThreads } from '../../support/links.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe('the weather conversation, word for word, by sms and then whatsapp', () => {
  type Memory = Awaited<ReturnType<typeof linksOf>>;
  let memory: Memory;
  beforeAll(async () => {
    const client = await world.user('weather');
    world.now = new Date('2025-11-05T10:46:00Z');
    const said = (channel: string, ...turns: [time: string, text: string, role?: 'ASSISTANT'][]) =>
      say(client, {
        channel,
        turns: turns.map(([time, text, role = 'USER']) => ({
          role: role as 'USER' | 'ASSISTANT',
          text,
          occurredAt: `2025-11-05T${time}:00Z`,
        })),
      });
    await said(
      'sms',
      ['10:00', "What's the weather in New York?"],
      ['10:01', 'Sunny, high 72°F', 'ASSISTANT'],
      ['10:05', 'What about next week?'],
    );
    await world.settle();
    await said('whatsapp', ['10:45', 'Oh, and what is it on Thursday?']);
    await world.settle();
    memory = await linksOf(client);
  });

  it('both assessments of a new thread agree, and are stored with everything the decision is based on', () => {
    const [first, second] = memory.threads;
    expect([first?.channels, second?.channels]).toEqual([['sms'], ['whatsapp']]);
    const [link, ...others] = memory.links;
    expect(others).toEqual([]);
    expect(link).toMatchObject({
      thread: { id: second?.id },
      earlierThread: { id: first?.id },
      verdict: 'LINK',
      certainty: 'HIGH',
      agreement: true,
      algorithmicRelated: true,
      reasonerRelated: true,
      generatedBy: 'EXTRACTIVE',
      threshold: 0.7,
      weights: { keyword: 0.3, entity: 0.3, topic: 0.2, recency: 0.2 },
      outcome: 'UNKNOWN',
      sign: null,
      decidedAt: '2025-11-05T10:46:00.000Z',
    });
    expect(link?.algorithmicScore).toBeGreaterThan(0.7);
    expect(link?.reasonerConfidence).toBeGreaterThan(0.9);
    expect(link?.reasoning).toMatch(/^Related: .*sounds like a continuation/);
    expect(link?.keySignals).toContain('continuation');
  });

  it('parts that cannot be computed for a short follow-up are left out, the rest weigh more, and the decision says so', () => {
    const { parts, leftOut, algorithmicScore } = memory.links[0] as Memory['links'][number];
    expect(leftOut).toEqual(['KEYWORD', 'ENTITY']);
    expect(parts).toMatchObject({ keyword: null, entity: null });
    expect(algorithmicScore).toBeCloseTo(((parts.topic ?? 0) + (parts.recency ?? 0)) / 2, 6);
    const { decision } = memory.events.find(({ kind }) => kind === 'LINK_DECIDED') ?? {};
    expect(decision).toMatch(
      /^link\.decide LINK \(thread 2 with 1; score 0\.\d\d yes; reasoner yes [01]\.\d\d; without keyword, entity\)$/,
    );
  });

  it('the cross-thread episode links both threads, has the turns of both and a combined summary, and is set on both', () => {
    const [episode, ...others] = memory.episodes;
    expect(others).toEqual([]);
    expect(episode).toMatchObject({
      kind: 'CROSS_THREAD',
      thread: null,
      firstTurn: 1,
      lastTurn: 4,
    });
    expect(episode?.threads.map(({ id }) => id)).toEqual(memory.threads.map(({ id }) => id));
    expect(episode?.threads[0]?.primaryEpisode?.kind).toBe('PRIMARY');
    expect(episode?.turns.map(({ channel }) => channel)).toEqual(['sms', 'sms', 'sms', 'whatsapp']);
    expect(episode?.turns.at(-1)?.text).toBe('Oh, and what is it on Thursday?');
    expect(episode?.summary).toMatch(/weather in New York.*Thursday/is);
    expect(episode?.stability).toBeGreaterThan(0);
    for (const thread of memory.threads) {
      expect(thread.crossThreadEpisode?.id).toBe(episode?.id);
    }
  });

  it('the event log contains the decision and the episode', () => {
    expect(kindsOf(memory.events)).toEqual([
      'LINK_DECIDED',
      'CROSS_THREAD_CREATED',
      'CROSS_THREAD_SUMMARIZED',
    ]);
    const [decided, created] = memory.events.filter(({ kind }) => /LINK|CROSS/.test(kind));
    expect(decided?.link?.id).toBe(memory.links[0]?.id);
    expect(created?.episode?.id).toBe(memory.episodes[0]?.id);
    expect(memory.errors).toEqual([]);
  });
});

describe('linking of threads', () => {
  it('related turns are detected and linked', async () => {
    const client = await world.user('related');
    await tellThreads(world, client, [PARROT, FLAT[0], FLAT[1]]);
    const { links, threads } = await linksOf(client);
    const linked = links.filter(({ verdict }) => verdict === 'LINK');
    expect(linked.map(({ thread, earlierThread }) => [thread.id, earlierThread.id])).toEqual([
      [threads[2]?.id, threads[1]?.id],
    ]);
    expect(links.filter(({ verdict }) => verdict === 'DONT_LINK')).toHaveLength(2);
  });

  it('the cross-thread episode is created', async () => {
    const { episodes, threads } = await linksOf(await world.user('related'));
    expect(episodes.map((episode) => episode.threads.map(({ id }) => id))).toEqual([
      [threads[1]?.id, threads[2]?.id],
    ]);
    expect(episodes[0]?.summary).toMatch(/flat|Cedofeita/i);
  });

  it('the algorithmic score of a link is the weighted mean of the parts that are known', async () => {
    const { links } = await linksOf(await world.user('related'));
    expect(links).toHaveLength(3);
    for (const { parts, weights, algorithmicScore } of links) {
      const present = (['keyword', 'entity', 'topic', 'recency'] as const).flatMap((name) =>
        parts[name] == null ? [] : [[weights[name], parts[name]] as const],
      );
      const whole = present.reduce((sum, [weight]) => sum + weight, 0);
      const mean = present.reduce((sum, [weight, part]) => sum + weight * part, 0) / whole;
      expect(algorithmicScore).toBeCloseTo(mean, 10);
    }
    const together = links.find(({ verdict }) => verdict === 'LINK');
    const apart = links.filter(({ verdict }) => verdict === 'DONT_LINK');
    for (const { algorithmicScore } of apart) {
      expect(together?.algorithmicScore).toBeGreaterThan(algorithmicScore + 0.2);
    }
  });

  it('a score above the threshold is judged as related, and the more confidently the farther it is', async () => {
    const { links } = await linksOf(await world.user('related'));
    for (const { algorithmicScore, algorithmicRelated, algorithmicConfidence } of links) {
      expect(algorithmicRelated).toBe(algorithmicScore > 0.7);
      const distance = Math.abs(algorithmicScore - 0.7);
      expect(algorithmicConfidence).toBeCloseTo(distance / (algorithmicRelated ? 0.3 : 0.7), 10);
    }
    expect(new Set(links.map(({ algorithmicRelated }) => algorithmicRelated)).size).toBe(2);
  });
});

describe('linking of several threads', () => {
  it('thread creation and linking: a third thread extends the episode', async () => {
    const client = await world.user('third');
    await tellThreads(world, client, FLAT);
    const { episodes, threads, events } = await linksOf(client);
    expect(threads).toHaveLength(3);
    expect(episodes.map((episode) => episode.threads.map(({ id }) => id))).toEqual([
      threads.map(({ id }) => id),
    ]);
    expect(episodes[0]).toMatchObject({ lastTurn: 6 });
    expect(kindsOf(events)).toContain('CROSS_THREAD_EXTENDED');
  });

  it('skills are extracted across threads: the steps from one, their success from the other', async () => {
    const client = await world.user('skilled');
    await tellThreads(world, client, [
      [
        'How do I mend the dripping kitchen tap?',
        '1. Turn the water off.\n2. Unscrew the handle of the tap.\n3. Change the washer.',
      ],
      [
        'The dripping kitchen tap: that fixed it, the new washer in the tap is tight!',
        'Well done.',
      ],
    ]);
    const { episodes, threads } = await linksOf(client);
    expect(threads.map(({ skills }) => skills)).toEqual([[], []]);
    expect(episodes).toMatchObject([
      { skills: [{ name: 'Mend dripping kitchen tap', evidenceTurns: [1, 2, 3] }] },
    ]);
  });
});
