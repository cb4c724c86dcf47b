import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { say } from '../support/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it('the New York block (seed 000 §3.3)', async () => {
  const client = await world.user('new-york');
  const turn = (role: 'USER' | 'ASSISTANT', minute: number, text: string) => ({ role, text, occurredAt: `2026-03-02T10:${String(minute).padStart(2, '0')}:00Z` });
  world.now = new Date('2026-03-02T10:16:00Z');
  await say(client, { channel: 'sms', turns: [
    turn('USER', 0, "What's the weather in New York tomorrow?"),
    turn('ASSISTANT', 1, 'Sunny, high 72°F'),
    turn('USER', 14, 'What about next week?'),
    turn('ASSISTANT', 15, 'Mixed, 65-75°F'),
  ] });
  await world.settle();
  world.now = new Date('2026-03-02T10:45:30Z');
  await world.settle();
  const context = await contextOf(client, { channel: 'whatsapp', message: 'Oh, and what is it on Thursday?' });
  console.log(context.markdown, JSON.stringify(context, null, 1));
  expect(context.mode).toBe('IMPLICIT');
});
