import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { CLOSE, FLIGHT, TAP, talk } from '../support/episodes.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const at = (time: string) => `2026-03-02T${time}:00Z`;

it('the thread is the one to which the message would be added: none once the latest is closed', async () => {
  const client = await world.user('closed');
  world.now = new Date(at('10:20'));
  const configure =
    'mutation { configureChannel(channel: "email", inactivityTimeoutMinutes: 600) { __typename } }';
  await client.post({ query: configure });
  await say(client, { channel: 'email', turns: talk(TAP, at('09:00')) });
  const [latest] = await say(client, { channel: 'sms', turns: talk(FLIGHT, at('10:00')) });
  const message = { channel: 'email', message: 'When is my flight?' };
  expect((await contextOf(client, message)).thread).toMatchObject({ id: latest?.thread.id });
  await client.execute(CLOSE, { threadId: latest?.thread.id ?? '' });
  expect((await contextOf(client, message)).thread).toBeNull();
});

it('the channel decides how a thread is chosen, also for somebody who has said nothing yet', async () => {
  const client = await world.user('nobody-yet');
  const context = await contextOf(client, { channel: 'web', message: 'Hello.' });
  expect(context).toMatchObject({ mode: 'EXPLICIT', thread: null });
  expect((await contextOf(client, { channel: 'sms', message: 'Hello.' })).mode).toBe('IMPLICIT');
});
