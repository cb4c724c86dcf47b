import { expect, it } from 'vitest';
import { knowledgeOf } from '../../support/consolidation.ts';
import { memoryOf } from '../../support/episodes.ts';
import { factsOf } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld } from '../../support/world.ts';

/** What the user says of themselves, five topics apart; the last of each pair is small talk. */
const TOPICS = [
  {
    facts: [
      'My name is Alex and I prefer Python.',
      'I live in Porto, by the way.',
      'My time zone is Europe/Lisbon.',
      'My pronouns are he/him.',
    ],
    talk: 'the index of the orders table in Postgres makes the query of the report slow',
    answer: 'An index on the customer and the date of the orders would help that query.',
  },
  {
    facts: [
      'Please always use type hints in the Python code you write.',
      "I don't use Java.",
      'I work at Northwind as a data engineer.',
      "I'm currently working on the quarterly report.",
    ],
    talk: 'the tests of the billing service fail on the build machine, but not on my laptop',
    answer: 'The build machine may lack the time zone data that the billing tests read.',
  },
  {
    facts: ["I'm allergic to peanuts.", "I'm vegetarian.", 'My sister Melanie lives in Braga.'],
    talk: 'the dinner for my grandmother needs a menu with soup, rice and something sweet',
    answer: 'A pumpkin soup before the rice and a lemon cake after it would please her.',
  },
  {
    facts: ['My cat Luna is 3 years old.', "I can't do meetings on Fridays.", 'I love hiking.'],
    talk: 'the hut above the lake is full in August, so the walk needs another place to sleep',
    answer: 'The valley has a camp site with a view of the lake and room in August.',
  },
  {
    facts: ['Please always answer in short sentences.', 'My email is alex@example.org.'],
    talk: 'the washing machine leaks under the drum when it spins, and the floor gets wet',
    answer: 'The seal of the drum is worn; a new seal stops the leak of the machine.',
  },
];

const LINES = [
  (topic: string) => `Tell me more: ${topic}.`,
  (topic: string) => `Hm, and still ${topic}.`,
  (topic: string) => `What else could it be when ${topic}?`,
  (topic: string) => `Then what about this: ${topic}, since Monday?`,
];

/** Twenty turns a topic: each fact once, between questions and answers. */
const conversation = TOPICS.flatMap(({ facts, talk, answer }) =>
  Array.from({ length: 10 }, (_, pair) => {
    const line = LINES[pair % LINES.length] as (topic: string) => string;
    return [facts[(pair - 1) / 2] ?? line(talk), `${answer} That is point ${pair + 1}.`];
  }).flat(),
);

it('100 turns become about 15 facts and 5 episodes, not 100 records', async () => {
  await using world = await createWorld();
  world.now = new Date('2026-03-02T12:00:00Z');
  const client = await world.user('hundred');
  await say(client, {
    channel: 'web',
    newThread: { title: 'A long day' },
    turns: conversation.map((text, turn) => ({
      text,
      role: turn % 2 ? ('ASSISTANT' as const) : ('USER' as const),
      occurredAt: new Date(Date.UTC(2026, 2, 2, 9, turn)).toISOString(),
    })),
  });
  expect(conversation).toHaveLength(100);
  await world.settle();
  const { facts } = await factsOf(client);
  const isNote = ({ origin }: { origin: string }) => origin === 'NOTE';
  const active = facts.filter((fact) => !isNote(fact)).map(({ key, value }) => `${key} = ${value}`);
  expect(facts.filter(isNote).length).toBeLessThanOrEqual(10);
  expect(active).toEqual(
    expect.arrayContaining([
      'profile:name = Alex',
      'preference:python = Python',
      'profile:city = Porto',
      'preference:java = Java',
      'profile:employer = Northwind',
      'profile:pronouns = he/him',
      'profile:timezone = Europe/Lisbon',
      'constraint:allergy:peanut = peanuts',
      'constraint:diet:vegetarian = vegetarian',
      'constraint:availability:friday = Fridays',
      'instruction:length = answer in short sentences',
      expect.stringMatching(/^instruction:.*type hints/),
      'profile:pet:luna:age = 3',
    ]),
  );
  expect(active.length).toBeGreaterThanOrEqual(12);
  expect(active.length).toBeLessThanOrEqual(20);
  expect(active.join()).not.toMatch(/orders table|quarterly|washing machine|point \d/);

  const episodes = (await knowledgeOf(client)).episodes.filter(
    ({ capture }) => capture === 'CREATED',
  );
  expect(episodes.length).toBeGreaterThanOrEqual(1);
  expect(episodes.length).toBeLessThanOrEqual(8);
  const { threads, window } = await memoryOf(client);
  expect(threads[0]?.turnCount).toBe(100);
  expect(window.length).toBeGreaterThanOrEqual(10);
  expect(window.length).toBeLessThanOrEqual(40);
  const stored = active.length + episodes.length;
  process.stdout.write(
    `100 turns: ${active.length} facts and ${episodes.length} episodes, ${(100 / stored).toFixed(1)} turns to a stored unit\n`,
  );
  expect(100 / stored).toBeGreaterThanOrEqual(4);
}, 120_000);
