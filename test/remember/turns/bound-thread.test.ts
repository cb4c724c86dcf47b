import { afterAll, beforeAll, expect, it } from 'vitest';
import { graphql } from '../../support/generated/gql.ts';
import { REMEMBER, say, sayAt } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const THREADS = graphql(`
  query Threads {
    viewer {
      threads(first: 50) {
        edges {
          node {
            id
            userId
            title
            state
            explicit
            channels
            turnCount
            inactivityTimeoutMinutes
            startedAt
            lastActivityAt
            idleAt
            recordedAt
            turns(first: 50) {
              edges {
                node {
                  number
                  text
                }
              }
            }
          }
        }
      }
    }
  }
`);

async function threadsOf(userId: string) {
  const client = await world.user(userId);
  const { viewer } = await client.execute(THREADS);
  return (viewer?.threads.edges ?? []).map(({ node }) => ({
    ...node,
    turns: node.turns.edges.map((edge) => `${edge.node.number} ${edge.node.text}`),
  }));
}

it("explicit channel: the caller's selection decides the thread", async () => {
  world.now = new Date('2026-03-02T20:00:00Z');
  const client = await world.user('explicit');
  const titles = ['Weather in New York', 'Flight booking', 'Restaurant recommendations'];
  const threads = [];
  for (const [index, title] of titles.entries()) {
    threads.push(
      await sayAt(client, `10:0${index}`, `about ${title}`, {
        channel: 'web',
        newThread: { title },
      }),
    );
  }
  const [weather] = threads;
  const later = await sayAt(client, '15:30', 'And tomorrow?', {
    channel: 'mobile',
    threadId: weather?.thread.id ?? null,
  });
  expect(later.thread.id).toBe(weather?.thread.id);
  const stored = await threadsOf('explicit');
  expect(stored.map((thread) => [thread.title, thread.turns])).toEqual([
    ['Weather in New York', ['1 about Weather in New York', '2 And tomorrow?']],
    ['Restaurant recommendations', ['1 about Restaurant recommendations']],
    ['Flight booking', ['1 about Flight booking']],
  ]);
  expect(stored[0]?.channels).toEqual(['web', 'mobile']);
});

it('explicit channel: a turn without a thread is refused with advice', async () => {
  const client = await world.user('explicit-without');
  const { remember } = await client.execute(REMEMBER, {
    input: { channel: 'web', turns: [{ text: 'hello' }] },
  });
  expect(remember).toMatchObject({
    __typename: 'InvalidInputError',
    issues: [{ path: 'input.turns.0.channel', message: expect.stringContaining('newThread') }],
  });
  expect(await threadsOf('explicit-without')).toEqual([]);
});

it('implicit channel: more than 30 minutes of inactivity opens a new thread', async () => {
  const client = await world.user('inactive');
  const first = await sayAt(client, '10:05', 'What about next week?');
  const second = await sayAt(client, '10:45', 'Oh, and what is it on Thursday?');
  expect(second.thread.id).not.toBe(first.thread.id);
  expect((await threadsOf('inactive')).map((thread) => thread.state)).toEqual(['OPEN', 'IDLE']);
});

it('implicit channel: 30 minutes or less continues the thread', async () => {
  const client = await world.user('active');
  const first = await sayAt(client, '10:00', "What's the weather?");
  const second = await sayAt(client, '10:30', 'What about next week?');
  expect(second.thread.id).toBe(first.thread.id);
  const third = await sayAt(client, '2026-03-02T11:00:00.001Z', 'one millisecond more');
  expect(third.thread.id).not.toBe(first.thread.id);
});

it('an implicit thread continues on another channel', async () => {
  const client = await world.user('channels');
  const first = await sayAt(client, '10:00', 'on the phone');
  const second = await sayAt(client, '10:10', 'on whatsapp now', { channel: 'whatsapp' });
  expect(second.thread.id).toBe(first.thread.id);
  expect((await threadsOf('channels'))[0]?.channels).toEqual(['sms', 'whatsapp']);
});

it('a thread can be named from an implicit channel: the choice beats the clock', async () => {
  const client = await world.user('named');
  const first = await sayAt(client, '08:00', 'morning');
  await sayAt(client, '12:00', 'noon');
  const named = await sayAt(client, '12:01', 'back to the morning', { threadId: first.thread.id });
  expect(named.thread.id).toBe(first.thread.id);
});

it('thread metadata is stored and served', async () => {
  world.now = new Date('2026-03-02T12:00:00Z');
  const client = await world.user('metadata');
  await say(client, {
    channel: 'sms',
    turns: [
      { text: "What's the weather?", occurredAt: '2026-03-02T10:00:00Z' },
      {
        text: 'Sunny.',
        role: 'ASSISTANT',
        occurredAt: '2026-03-02T10:05:00Z',
        channel: 'whatsapp',
      },
    ],
  });
  expect(await threadsOf('metadata')).toEqual([
    {
      id: expect.any(String),
      userId: 'metadata',
      title: null,
      state: 'OPEN',
      explicit: false,
      channels: ['sms', 'whatsapp'],
      turnCount: 2,
      inactivityTimeoutMinutes: null,
      startedAt: '2026-03-02T10:00:00.000Z',
      lastActivityAt: '2026-03-02T10:05:00.000Z',
      idleAt: '2026-03-02T10:35:00.000Z',
      recordedAt: '2026-03-02T12:00:00.000Z',
      turns: ["1 What's the weather?", '2 Sunny.'],
    },
  ]);
});

it("an unknown thread and another user's thread are the same typed error", async () => {
  const owner = await world.user('thread-owner');
  const { thread } = await sayAt(owner, '10:00', 'mine');
  const stranger = await world.user('thread-stranger');
  for (const threadId of [
    thread.id,
    'nonsense',
    Buffer.from('Thread:["thread-stranger","7"]').toString('base64'),
  ]) {
    const { remember } = await stranger.execute(REMEMBER, {
      input: { channel: 'sms', threadId, turns: [{ text: 'hello' }] },
    });
    expect(remember).toMatchObject({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
  }
  expect(await threadsOf('thread-stranger')).toEqual([]);
});

it('a late turn goes to the thread whose period contains it, in event time', async () => {
  const client = await world.user('late');
  const first = await sayAt(client, '08:00', 'a');
  await sayAt(client, '08:20', 'c');
  await sayAt(client, '10:00', 'later');
  const late = await sayAt(client, '08:10', 'b');
  expect(late.thread.id).toBe(first.thread.id);
  expect(late.number).toBe(2);
  expect((await threadsOf('late'))[1]?.turns).toEqual(['1 a', '2 b', '3 c']);
});

it('a late turn between threads goes to the nearest within the timeout, the earlier of two', async () => {
  const client = await world.user('between');
  const first = await sayAt(client, '08:00', 'first');
  const second = await sayAt(client, '08:50', 'second');
  const third = await sayAt(client, '10:30', 'third');
  expect((await sayAt(client, '08:25', 'equally near')).thread.id).toBe(first.thread.id);
  expect((await sayAt(client, '08:45', 'nearer to the second')).thread.id).toBe(second.thread.id);
  const alone = await sayAt(client, '09:40', 'near to none');
  expect([first, second, third].map((turn) => turn.thread.id)).not.toContain(alone.thread.id);
});

it('a thread turns idle after its timeout, a new turn opens it again, and closing is for good', async () => {
  world.now = new Date('2026-03-02T10:00:00Z');
  const client = await world.user('idle');
  const state = async () => (await threadsOf('idle')).map((thread) => thread.state);
  const first = await sayAt(client, '10:00', 'hello', {
    channel: 'web',
    newThread: { title: 'A thread' },
  });
  world.now = new Date('2026-03-02T12:59:59Z');
  await world.settle();
  expect(await state()).toEqual(['OPEN']);
  world.now = new Date('2026-03-02T13:00:00Z');
  await world.settle();
  expect(await state()).toEqual(['IDLE']);
  await sayAt(client, '13:00', 'again', { channel: 'web', threadId: first.thread.id });
  expect(await state()).toEqual(['OPEN']);
  const close = graphql(`
    mutation Close($threadId: ID!) {
      closeThread(threadId: $threadId) {
        ... on Thread {
          state
        }
      }
    }
  `);
  const closed = await client.execute(close, { threadId: first.thread.id });
  expect(closed.closeThread).toEqual({ state: 'CLOSED' });
  const { remember } = await client.execute(REMEMBER, {
    input: { channel: 'web', threadId: first.thread.id, turns: [{ text: 'too late' }] },
  });
  expect(remember).toMatchObject({ __typename: 'ThreadClosedError' });
});
