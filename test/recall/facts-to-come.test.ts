import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { factsOf, RECORD } from '../support/facts.ts';
import { recallAll } from '../support/recall.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
let ana: Client;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-11-20T09:00:00Z');
  ana = await world.user('ana');
  await sayAt(ana, '2026-11-02T09:00:00Z', 'I live in Porto.');
  await world.settle();
  const input = { category: 'IDENTITY', key: 'profile:city', value: 'Lisbon' } as const;
  await ana.execute(RECORD, { input: { ...input, validFrom: '2027-01-04T00:00:00Z' } });
  await ana.execute(RECORD, {
    input: {
      ...{ category: 'CONSTRAINT', value: 'rowing', statement: 'The user may row in the harbour.' },
      ...{ pinned: true, validFrom: '2027-01-04T00:00:00Z' },
    } as const,
  });
  await world.settle();
});
afterAll(() => world[Symbol.asyncDispose]());

/** What is known of the city and of rowing: by key, pinned, by search and in a prompt. */
async function known() {
  const byKey = await recallAll(ana, { query: 'Where do I live?' });
  const searched = await recallAll(ana, { query: 'Who may row in the harbour?' });
  const prompt = await contextOf(ana, { channel: 'web', message: 'Where do I live?' });
  return {
    facts: byKey.facts.map(({ value }) => value),
    found: searched.found.filter(({ fact }) => /row/.test(fact.statement)).length,
    prompt: prompt.facts.map(({ value }) => value),
    active: (await factsOf(ana)).active,
  };
}

it('a fact that begins later counts from its time on, and until then what it replaces is true', async () => {
  expect(await known()).toEqual({
    ...{ facts: ['Porto'], found: 0, prompt: ['Porto'] },
    active: ['profile:city = Porto'],
  });
  const { facts } = await factsOf(ana, { key: 'profile:city' });
  expect(facts[0]).toMatchObject({ value: 'Porto', active: true });
  expect(facts[0]?.history).toMatchObject([
    { value: 'Porto', active: true, validTo: '2027-01-04T00:00:00.000Z' },
    { value: 'Lisbon', active: false },
  ]);
  const { facts: then } = await recallAll(ana, {
    ...{ query: 'Where do I live?', asOf: '2027-01-05T00:00:00Z' },
  });
  expect(then.map(({ value }) => value)).toEqual(['Lisbon', 'rowing']);
  world.now = new Date('2027-01-04T09:00:00Z');
  const { active, ...begun } = await known();
  expect(begun.facts).toEqual(['Lisbon', 'rowing']);
  expect(begun.prompt).toEqual(expect.arrayContaining(['Lisbon', 'rowing']));
  expect(active).toEqual(expect.arrayContaining(['profile:city = Lisbon', 'null = rowing']));
});

it('a fact of a turn from a clock that is a little ahead is known at once', async () => {
  const bo = await world.user('bo');
  world.now = new Date('2026-11-20T09:00:00Z');
  await sayAt(bo, '2026-11-20T09:04:00Z', 'My name is Bo.');
  const { facts } = await recallAll(bo, { query: "What's my name?" });
  expect(facts.map(({ value }) => value)).toEqual(['Bo']);
  expect((await factsOf(bo)).facts).toMatchObject([{ value: 'Bo', active: true }]);
});
