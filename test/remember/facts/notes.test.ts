import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORGET_FACT, factsOf, sayFacts } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-07-01T09:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

const LONG = 'no long answers please, max 3 lines, i read on my phone';

it('a note is a sentence of the user, word for word, dated and with its turn', async () => {
  const client = await world.user('ana');
  await sayFacts(world, client, '2026-03-02T08:00:00Z', `hi! ${LONG}. what is a lease?`);
  const { facts } = await factsOf(client);
  expect(facts).toMatchObject([
    {
      origin: 'NOTE',
      key: null,
      value: `${LONG}.`,
      statement: `${LONG}.`,
      category: 'INSTRUCTION',
      validFrom: '2026-03-02T08:00:00.000Z',
      active: true,
    },
  ]);
  expect(facts[0]?.turns.map(({ text }) => text).join()).toContain('what is a lease?');
});

it('a change ends the note about the same thing, which stays in the history', async () => {
  const client = await world.user('ben');
  const before = 'choir is on thursdays at half seven in the hall, every week, always bring water';
  const after = 'choir moves to mondays from june, same hall, still every week';
  await sayFacts(world, client, '2026-03-02T08:00:00Z', before);
  await sayFacts(world, client, '2026-05-20T08:00:00Z', after);
  const { facts } = await factsOf(client);
  const active = facts.filter((fact) => fact.active);
  expect(active.map(({ value }) => value)).toEqual([after]);
  const { facts: then } = await factsOf(client, { at: '2026-04-01T00:00:00Z' });
  expect(then.map(({ value }) => value)).toEqual([before]);
});

it('a sentence said twice is one note, and is erased with its turn', async () => {
  const client = await world.user('cleo');
  const turns = ['2026-03-02', '2026-03-09'].map((day) => ({
    text: LONG,
    occurredAt: `${day}T08:00:00Z`,
  }));
  const said = await say(client, { channel: 'sms', turns });
  await world.settle();
  const { facts } = await factsOf(client);
  expect(facts.map(({ mentions }) => mentions)).toEqual([2]);
  for (const { id: turnId } of said) {
    const { forget } = await client.execute(FORGET_FACT, { input: { turnId } });
    expect(forget.__typename).toBe('ForgottenCounts');
  }
  await world.settle();
  expect((await factsOf(client)).facts).toEqual([]);
});

it('what others say, and make-believe, is not noted', async () => {
  const client = await world.user('dan');
  await say(client, {
    channel: 'web',
    newThread: { title: 'Game' },
    turns: [
      { text: `Let's role-play: ${LONG}` },
      { text: LONG, role: 'ASSISTANT' },
      { text: LONG, role: 'OTHER', speaker: 'Eve' },
    ],
  });
  await world.settle();
  expect((await factsOf(client)).facts).toEqual([]);
});
