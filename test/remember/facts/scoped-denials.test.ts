import { afterAll, beforeAll, expect, it } from 'vitest';
import { scoped } from '../../../src/reasoner/extractive/facts/rules/scoped.ts';
import { draft } from '../../../src/reasoner/extractive/facts/text/draft.ts';
import { factsOf } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  ['I speak French.', "I don't speak French at home.", /not speak French at home/],
  ['I use Python.', "I don't use Python for embedded work.", /not use Python for embedded work/],
  ['I eat meat.', "I don't eat meat on Fridays.", /not eat meat on Fridays/],
  ['I use Slack.', "I don't use Slack on my phone.", /not use Slack on their phone/],
  ['I like jazz.', "I don't like jazz when I'm working.", /not like jazz .*working/],
  ['I love coffee.', "I don't drink coffee after noon.", /not drink coffee after noon/],
  ['I like loud music.', "I don't like loud music in the morning.", /loud music in the morning/],
  ['I use Vim.', "At work I don't use Vim.", /not use Vim At work/],
])(
  'a denial with a scope ends nothing and denies no more than it says: %s %s',
  async (general, denial, told) => {
    const client = await world.user(`scoped-${denial.length}-${general.length}-${general.at(-3)}`);
    for (const [text, time] of [
      [general, '09:00'],
      [denial, '10:00'],
    ] as const) {
      world.now = new Date(`2026-03-02T${time}:30Z`);
      await say(client, {
        channel: 'sms',
        turns: [{ text, occurredAt: `2026-03-02T${time}:00Z` }],
      });
      await world.settle();
    }
    const { facts } = await factsOf(client);
    const active = facts.filter((fact) => fact.active);
    const denied = active.filter(({ polarity }) => polarity === 'NEGATIVE');
    expect(denied.map(({ statement }) => statement)).toEqual([expect.stringMatching(told)]);
    if (general !== 'I eat meat.')
      expect(active.some(({ polarity }) => polarity === 'POSITIVE')).toBe(true);
  },
);

it('a denial without a scope still ends what was affirmed', async () => {
  const client = await world.user('unscoped');
  for (const [text, time] of [
    ['I use Vim.', '09:00'],
    ["I don't use Vim any more.", '10:00'],
  ]) {
    world.now = new Date(`2026-03-02T${time}:30Z`);
    await say(client, {
      channel: 'sms',
      turns: [{ text: text ?? '', occurredAt: `2026-03-02T${time}:00Z` }],
    });
    await world.settle();
  }
  const { facts } = await factsOf(client);
  expect(facts.filter(({ active }) => active)).toMatchObject([
    { polarity: 'NEGATIVE', key: 'preference:vim' },
  ]);
});

it('words after a denial limit it only if they say where, when or with what', () => {
  const sentence = "I'm not available on Mondays, please plan around that.";
  const negative = draft('CONSTRAINT', {
    key: 'constraint:availability:monday',
    value: 'Mondays',
    statement: 'The user is not available on Mondays.',
    polarity: 'NEGATIVE',
  });
  const scopeOf = (said: string) => scoped(negative, { sentence: said }).scope;
  expect(scopeOf(sentence)).toBeNull();
  expect(scopeOf('I am not available on Mondays for health reasons.')).toBeNull();
  expect(scopeOf('I am not available on Mondays at the moment.')).toBeNull();
  expect(scopeOf('I am not available on Mondays or Tuesdays before ten.')).toBe('before ten');
  expect(scopeOf('During the holidays I am not available on Mondays.')).toBe('During the holidays');
});
