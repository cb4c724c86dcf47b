import { expect, it } from 'vitest';
import { factsOf } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld } from '../../support/world.ts';

it.each([
  [['I use Vim.', 'ok', "I don't use Vim any more."], 'NEGATIVE'],
  [["I don't use Vim any more.", 'ok', 'I use Vim.'], 'POSITIVE'],
])('of two turns of one call, all without a time, the later wins: %j', async (texts, polarity) => {
  await using world = await createWorld({ EMBEDDER: 'none' });
  world.now = new Date('2026-03-20T09:00:00Z');
  const client = await world.user('ada');
  await say(client, { channel: 'sms', turns: texts.map((text) => ({ text })) });
  await world.settle();
  const { facts } = await factsOf(client);
  expect(facts.filter(({ active }) => active).map((fact) => fact.polarity)).toEqual([polarity]);
});
