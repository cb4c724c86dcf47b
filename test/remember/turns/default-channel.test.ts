import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf, refusedContext } from '../../support/context.ts';
import { REMEMBER, say, turnsOf } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const said = (text: string, time: string) => ({ text, occurredAt: `2026-03-02T${time}:00Z` });

it('without a channel, turns go to the implicit channel "default", where inactivity decides about threads', async () => {
  const client = await world.user('no-channel');
  const [first] = await say(client, { turns: [said('I have a canary.', '08:00')] });
  const [second] = await say(client, { turns: [said('It is called Kiwi.', '08:20')] });
  const [third] = await say(client, { channel: null, turns: [said('Good evening.', '08:51')] });
  expect(second?.thread.id).toBe(first?.thread.id);
  expect(third?.thread.id).not.toBe(first?.thread.id);
  expect((await turnsOf(client)).map(({ channel }) => channel)).toEqual(Array(3).fill('default'));
  world.now = new Date('2026-03-02T08:52:00Z');
  for (const channel of ['default', null]) {
    const context = await contextOf(client, { channel, message: 'What did I just say?' });
    expect(context).toMatchObject({ mode: 'IMPLICIT', window: [{ text: 'Good evening.' }] });
  }
});

it('without a channel, the context of a thread goes by that thread', async () => {
  const client = await world.user('context-of-web');
  const web = { channel: 'web', newThread: {}, turns: [said('I have a parrot.', '08:00')] };
  const [stored] = await say(client, web);
  world.now = new Date('2026-03-02T08:52:00Z');
  const threadId = stored?.thread.id ?? null;
  const context = await contextOf(client, { threadId, message: 'What did I just say?' });
  expect(context).toMatchObject({ mode: 'EXPLICIT', window: [{ text: 'I have a parrot.' }] });
});

it('a context on a channel with a wrong name, or of a thread that never was, is refused with what is wrong', async () => {
  const client = await world.user('context-refused');
  const refused = (place: object) => refusedContext(client, { message: 'Hello', ...place });
  expect(await refused({ channel: 'a b' })).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('channel'),
  });
  const unknown = Buffer.from('Thread:["context-refused","1"]').toString('base64');
  expect(await refused({ threadId: unknown })).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('thread'),
  });
});

it('without a thread, an explicit channel is refused with the line that is missing, and that line works', async () => {
  const client = await world.user('web-without-thread');
  const input = { channel: 'web', turns: [{ text: 'hello' }] };
  const { remember } = await client.execute(REMEMBER, { input });
  expect(remember).toMatchObject({
    code: 'INVALID_INPUT',
    issues: [
      {
        path: 'input.turns.0.channel',
        message:
          '"web" is an EXPLICIT channel, on which the caller picks the thread. Add one line to the input: ' +
          '`newThread: {}` for a new thread, or `threadId: "…"` with the `id` of one that exists',
      },
    ],
  });
  const [stored] = await say(client, { ...input, newThread: {} });
  const [again] = await say(client, { ...input, threadId: stored?.thread.id ?? null });
  expect(again?.thread.id).toBe(stored?.thread.id);
});
