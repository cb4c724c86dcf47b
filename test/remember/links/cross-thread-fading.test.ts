import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORGET_MEMORY } from '../../support/episodes.ts';
import { linksOf } from '../../support/links.ts';
import { DECAY, localThread, notesOf, RATE, showAndTalk } from '../../support/reviews.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Creates a user with one cross-thread episode, of two threads about the weather on 5 November. */
async function weather(userId: string): Promise<{ client: Client; id: string; number: number }> {
  const client = await world.user(userId);
  world.now = new Date('2025-11-05T10:46:00Z');
  const at = (time: string) => `2025-11-05T${time}:00Z`;
  await say(client, {
    channel: 'sms',
    turns: [
      { text: "What's the weather in New York?", occurredAt: at('10:00') },
      { text: 'Sunny, high 72°F', role: 'ASSISTANT', occurredAt: at('10:01') },
      { text: 'What about next week?', occurredAt: at('10:05') },
    ],
  });
  await world.settle();
  const turns = [{ text: 'Oh, and what is it on Thursday?', occurredAt: at('10:45') }];
  await say(client, { channel: 'whatsapp', turns });
  await world.settle();
  const [episode] = (await linksOf(client)).episodes;
  if (!episode) throw new Error('The threads were not linked.');
  return { client, id: episode.id, number: localThread(episode.id) };
}

it('a cross-thread episode fades like a captured one, and a review by hand changes how fast', async () => {
  const { client, id } = await weather('fading');
  const at = async (asOf: string) => (await client.execute(DECAY, { id, asOf, days: 5 })).episode;
  expect((await at('2025-11-05T10:45:00Z'))?.retrievability).toBe(1);
  const later = await at('2025-12-05T10:45:00Z');
  expect(later?.retrievability).toBeLessThan(1);
  expect(later?.decay).toHaveLength(6);
  expect(later?.decay?.[0]?.retrievability).toBe(later?.retrievability);

  world.now = new Date('2025-11-06T12:00:00Z');
  const { rateMemory } = await client.execute(RATE, { id, rating: 'EASY' });
  expect(rateMemory).toMatchObject({ lastReviewedAt: '2025-11-06T12:00:00.000Z' });
  const rated = (await at('2025-12-05T10:45:00Z'))?.retrievability ?? 0;
  expect(rated).toBeGreaterThan(later?.retrievability ?? 1);
});

it('a cross-thread episode that was shown in a thread is graded by how the conversation continues, until that is forgotten', async () => {
  // The review comes before the new thread makes the episode recent.
  using _ = world.configured({ debounce: {} });
  const { client, number } = await weather('shown');
  const texts = [
    "What's the weather in New York next week?",
    'Sunny in New York next week, and the high is 72°F again.',
    'And the weather in New York on Thursday?',
    'Sunny on Thursday too.',
  ];
  const { threadId, close } = await showAndTalk(world, client, [number], {
    at: '2025-11-08T15:00:00Z',
    talk: texts,
  });
  expect(await notesOf(world, client)).toMatchObject([{ episode_id: number }]);
  await close();
  await world.settle();
  expect(await notesOf(world, client)).toEqual([]);
  const stateOf = async () => {
    const { rows } = await world.ctx.db.pool.query(
      `SELECT stability, last_reviewed_at AS "lastReviewedAt", (SELECT count(*)::int FROM episode_reviews r
        WHERE r.user_id = $1 AND r.episode_id = e.id AND r.stability = e.stability) AS reviews
      FROM episodes e WHERE user_id = $1 AND id = $2`,
      [client.userId, number],
    );
    return rows[0];
  };
  const graded = await stateOf();
  expect(graded).toMatchObject({ reviews: 1, lastReviewedAt: expect.any(Date) });

  await client.execute(FORGET_MEMORY, { input: { threadId } });
  const first = await stateOf();
  expect(first).toMatchObject({ reviews: 0, lastReviewedAt: null });
  expect(first.stability).not.toBe(graded.stability);
});
