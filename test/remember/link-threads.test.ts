import { afterAll, beforeAll, expect, it } from 'vitest';
import { say } from '../support/conversation.ts';
import { linksOf } from '../support/links.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it('weather', async () => {
  const client = await world.user('weather');
  world.now = new Date('2025-11-05T10:46:00Z');
  const at = (time: string) => `2025-11-05T${time}:00Z`;
  await say(client, {
    channel: 'sms',
    turns: [
      { text: "What's the weather in New York?", occurredAt: at('10:00') },
      { text: 'What about next week?', occurredAt: at('10:05') },
    ],
  });
  await world.settle();
  await say(client, {
    channel: 'whatsapp',
    turns: [{ text: 'Oh, and what is it on Thursday?', occurredAt: at('10:45') }],
  });
  await world.settle();
  console.log(JSON.stringify(await linksOf(client), null, 1));
});
