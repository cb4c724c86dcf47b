import { expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld } from '../support/world.ts';

const at = (time: string) => `2026-03-02T${time}:00Z`;
const turn = (role: 'USER' | 'ASSISTANT', time: string, text: string) => ({
  role,
  text,
  occurredAt: at(time),
});

it('what is not about the message stays out, even if there is room for it', async () => {
  await using world = await createWorld();
  const client = await world.user('ada');
  world.now = new Date(at('20:00'));
  await say(client, {
    channel: 'sms',
    turns: [
      turn('USER', '06:00', 'The dentist moved my root canal to the ninth of March at eight.'),
      turn('ASSISTANT', '06:01', 'Noted: the root canal is on the ninth at eight.'),
    ],
  });
  const others = [
    'tulips',
    'violin',
    'chess',
    'sourdough',
    'curtains',
    'kayak',
    'ferry',
    'printer',
  ];
  for (const [index, noun] of others.entries()) {
    const hour = String(8 + index).padStart(2, '0');
    await say(client, {
      channel: 'sms',
      turns: [turn('USER', `${hour}:00`, `We spent the afternoon with the ${noun} and liked it.`)],
    });
  }
  world.now = new Date('2026-04-02T10:00:00Z');
  await world.settle();
  const message = 'When does the dentist do my root canal?';
  const { markdown, tokens } = await contextOf(client, { channel: 'whatsapp', message });
  expect(tokens).toBeLessThan(1_000);
  expect(markdown).toContain('root canal to the ninth of March');
  expect(others.filter((noun) => markdown.includes(noun))).toEqual([]);
});
