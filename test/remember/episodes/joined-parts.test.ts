import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIGURE_CAPTURE, FORGET_MEMORY, memoryOf, talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const KILN = [
  'we rented the kiln in the old dairy for our pottery course, signed the contract today',
  'Then the pottery course can start.',
  'twelve places in the course, the kiln takes forty bowls at a time',
  'Forty bowls a firing is plenty for a course of twelve.',
  'decided to fire the bowls on wednesdays',
  'Wednesdays it is.',
];
const GLAZE = [
  'the kiln in the dairy runs 30 degrees too hot, the bowls of the pottery course cracked',
  'Lower the ramp of the kiln by 30 degrees.',
  'done, the second firing of the bowls came out whole',
  'Good, keep that ramp for the course.',
  'we decided to keep the lower ramp for all bowls',
  'A good decision for the pottery course.',
];
const DRAMA = [
  'my niece Elif started at the drama school in Cork, the course takes three years',
  'A long course for Elif.',
  'she signed for a flat with two actors near the river',
  'Near the river is lively.',
  'decided to pay her the deposit of 900 euros',
  'That is generous.',
];

async function tell(client: Client, at: string, texts: readonly string[]) {
  world.now = new Date(Date.parse(at) + 3_600_000);
  await say(client, { channel: 'sms', turns: talk(texts, at) });
  await world.settle();
}

describe('summaries of several parts', () => {
  it('a first part without a full stop gets one before the next', async () => {
    const client = await world.user('kiln');
    const { reasoner } = world.ctx;
    const bare = (text: string | null) => text?.replace(/[.!?]+$/, '') ?? null;
    using _bare = world.with({
      reasoner: {
        ...reasoner,
        describeSegment: async (...asked: Parameters<typeof reasoner.describeSegment>) => {
          const described = await reasoner.describeSegment(...asked);
          return { ...described, summary: bare(described.summary) };
        },
      },
    });
    await client.execute(CONFIGURE_CAPTURE, { capture: { noveltyMin: 0 } });
    await tell(client, '2026-03-02T09:00:00Z', KILN);
    await tell(client, '2026-03-02T14:00:00Z', GLAZE);
    const { segments } = await memoryOf(client);
    expect(segments.map(({ capture }) => capture)).toEqual(['CREATED', 'MERGED']);
    const [whole, part] = segments;
    const first = whole?.micro ?? '';
    expect(first).toMatch(/\p{L}$/u);
    expect(whole?.summary).toContain(`${first}. `);
    expect(whole?.summary?.length).toBeGreaterThan((part?.summary ?? '').length);
  });

  it('when the thread of the first part is forgotten, the other part becomes an episode of its own', async () => {
    const client = await world.user('kiln-forgotten');
    await client.execute(CONFIGURE_CAPTURE, { capture: { noveltyMin: 0 } });
    await tell(client, '2026-03-02T09:00:00Z', KILN);
    await tell(client, '2026-03-02T14:00:00Z', GLAZE);
    const { threads } = await memoryOf(client);
    expect(threads).toHaveLength(2);
    await client.execute(FORGET_MEMORY, { input: { threadId: threads[1]?.id ?? '' } });
    await world.settle();
    const { segments } = await memoryOf(client);
    expect(segments.map(({ capture }) => capture)).toEqual(['CREATED']);
    expect(segments[0]?.summary).toMatch(/ramp|firing/);
  });

  it('unrelated talks that share a common word are neither merged nor linked nor told in one text', async () => {
    const client = await world.user('drama');
    await tell(client, '2026-03-02T09:00:00Z', KILN);
    await tell(client, '2026-03-02T14:00:00Z', DRAMA);
    const { segments } = await memoryOf(client);
    expect(segments.map(({ capture }) => capture)).not.toContain('MERGED');
    expect(segments.map(({ mergedInto }) => mergedInto)).toEqual([null, null]);
    for (const { summary } of segments) {
      expect(/kiln|bowls/.test(summary ?? '') && /Elif|drama/.test(summary ?? '')).toBe(false);
    }
  });
});
