import { afterAll, beforeAll, expect, it } from 'vitest';
import { talk } from '../support/episodes.ts';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const LATER = [
  'Which wine goes with mushroom risotto?',
  'A dry white one, or a light red.',
  'I work hard on this risotto, where do I get good stock?',
  'From the butcher.',
];

it.each([
  [
    "Hi, I'm Signe Halvorsen, I lead the logistics team at Fjellvik Foods in Bergen. Can you help me with a rota?",
    'Fjellvik Foods',
  ],
  [
    "I'm Tadeo and I run the pastry kitchen at Casa Linde, a quick question about ovens.",
    'Casa Linde',
  ],
  ["Hello, I'm Wim Aerts, I look after the design studio of Duinzicht Cranes.", 'Duinzicht Cranes'],
])('who introduces themselves is known where they work: %s', async (introduction, employer) => {
  const client = await world.user(employer.replace(' ', '-'));
  for (const [day, texts] of [[introduction, 'Gladly, what is it?'], LATER].entries()) {
    const from = `2026-03-0${day + 2}T09:00:00Z`;
    world.now = new Date(Date.parse(from) + 3_600_000);
    await say(client, { channel: 'sms', turns: talk(texts, from) });
  }
  await world.settle();
  const { facts } = await recallAll(client, { query: 'Where do I work?' });
  expect(facts[0]).toMatchObject({ key: 'profile:employer', value: employer });
  expect(facts[0]?.turns).toEqual([{ text: introduction }]);
});

it.each([
  [
    'Where do I live?',
    'We found a flat by the canal in Ghent, the move was exhausting.',
    'Is the derby live on channel four tonight?',
  ],
  [
    'What do I do for a living?',
    'My new team of nurses has the night shift again.',
    'What is the cost of living in Lisbon these days?',
  ],
])(
  'a question about the user finds who told it in other words: %s',
  async (question, told, other) => {
    const client = await world.user(`other words ${question.length}`);
    const texts = [other, 'I do not know.', ...LATER, told, 'Congratulations!'];
    await say(client, { channel: 'sms', turns: talk(texts, '2026-03-02T09:00:00Z') });
    await world.settle();
    const { hits } = await recallAll(client, { query: question, kinds: ['TURN'] });
    expect(hits[0]).toMatchObject({ turn: { text: told } });
  },
);
