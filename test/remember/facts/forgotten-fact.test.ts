import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { StepOutput } from '../../../src/reasoner/reasoner.ts';
import { consolidate, recorder } from '../../support/consolidation.ts';
import { rowsWith } from '../../support/database/dump.ts';
import { talk } from '../../support/episodes.ts';
import { FORGET_FACT, factsOf, RECORD, sayFacts, tellGoals } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
let usual: Context['reasoner'];
beforeAll(async () => {
  world = await createWorld();
  usual = world.ctx.reasoner;
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.restore();
  world.now = new Date('2026-03-31T12:00:00Z');
});

/** A conversation that is over, and of which one episode is made. */
async function talked(client: Client, ...texts: string[]) {
  await say(client, { channel: 'sms', turns: talk(texts, '2026-03-02T09:00:00Z') });
  await world.settle();
}

async function forgetCity(client: Client) {
  const { facts } = await factsOf(client, { key: 'profile:city' });
  const [fact] = facts;
  if (!fact) throw new Error('The city is not known.');
  const { forget } = await client.execute(FORGET_FACT, { input: { factId: fact.id } });
  expect(forget).toMatchObject({ facts: 1, turns: 0 });
}

/** How many facts the episodes have that were not read yet, which are read now. */
const read = async (client: Client) => {
  const { facts } = (await consolidate(client)) as {
    facts: { episodes: number; recorded: number };
  };
  await world.settle();
  return facts;
};

it('a forgotten fact is not read again from an episode; said once more, it is learned again', async () => {
  const client = await recorder(world, 'rules');
  await talked(client, 'I live in Porto, by the river.', 'Nice!', 'My sister is called Melanie.');
  await forgetCity(client);
  expect(await read(client)).toMatchObject({ episodes: 1, recorded: 0 });
  const { active, refusals } = await factsOf(client);
  expect(active.join()).not.toContain('Porto');
  expect(active.join()).toContain('person:melanie:relation = sister');
  expect(refusals).toEqual([]);
  const tables = await rowsWith(world, 'Porto');
  expect(tables.filter((table) => table.includes('fact'))).toEqual([]);
  world.now = new Date('2026-04-02T12:00:00Z');
  await sayFacts(world, client, '2026-04-02T11:00:00Z', 'I live in Porto.');
  expect((await factsOf(client)).active).toContain('profile:city = Porto');
});

type Candidate = StepOutput<'extract-facts'>['facts'][number];

/** A model in place of the built-in rules, which finds these facts. */
function model(...found: Partial<Candidate>[]) {
  const facts = found.map(
    (own): Candidate => ({
      ...{ action: 'NEW', factId: null, category: 'IDENTITY', polarity: 'POSITIVE', scope: null },
      ...{ key: 'profile:city', value: 'Porto', statement: 'The user lives in Porto.' },
      ...{ confidence: 0.9, importance: 0.8, isCorrection: false, turn: 0 },
      ...own,
    }),
  );
  world.with({
    reasoner: {
      ...usual,
      generatedBy: 'MODEL',
      modelOf: () => 'stub',
      extractFacts: async () => ({ facts }),
    },
  });
}

it('a model does not bring it back in other words, nor from another turn of before', async () => {
  const client = await recorder(world, 'model');
  await talked(client, 'I live in Porto.', 'By the sea?', 'Yes, and Porto is where I stay.');
  await forgetCity(client);
  model(
    { value: 'Porto, Portugal' },
    { value: 'Porto', turn: 2 },
    { key: 'profile:occupation', value: 'baker', statement: 'The user is a baker.' },
  );
  expect(await read(client)).toMatchObject({ episodes: 1, recorded: 1 });
  expect((await factsOf(client)).active).toEqual(['profile:occupation = baker']);
});

it('a forgotten fact can be recorded by hand', async () => {
  const client = await recorder(world, 'hand');
  await talked(client, 'I live in Porto.', 'Nice!');
  await forgetCity(client);
  const input = { category: 'IDENTITY', key: 'profile:city', value: 'Porto' } as const;
  await client.execute(RECORD, { input });
  expect((await factsOf(client)).active).toContain('profile:city = Porto');
});

it.each([
  ['almost the same', 'The user wants to run a marathon in Porto this year!', 0],
  ['similar', 'The user wants to run a marathon in Lisbon next year.', 1],
])(
  'a forgotten fact is not learned from earlier words as an update of one that is %s',
  async (is, known, questions) => {
    const forgotten = 'The user wants to run a marathon in Porto this year.';
    const client = await world.user(`forgotten-${is}`);
    let asked = 0;
    const isSameFact = async () => {
      asked += 1;
      return { same: true, confidence: 0.9 };
    };
    world.with({ reasoner: { ...usual, extractFacts: tellGoals, isSameFact } });
    await sayFacts(world, client, '2026-03-02T09:00:00Z', forgotten);
    const [{ id: factId = '' } = {}] = (await factsOf(client)).facts;
    await client.execute(FORGET_FACT, { input: { factId } });
    const input = {
      category: 'GOAL',
      key: 'goal:marathon',
      value: known,
      statement: known,
    } as const;
    await client.execute(RECORD, { input });
    await world.settle();
    await sayFacts(world, client, '2026-03-03T09:00:00Z', forgotten);
    expect((await factsOf(client)).active).toEqual([`goal:marathon = ${known}`]);
    expect(asked).toBe(questions);
    const tables = await rowsWith(world, forgotten);
    expect(tables.filter((table) => table.includes('fact'))).toEqual([]);
  },
);

it('a fact recorded by hand and forgotten is not read from what was said before, but another under its key is', async () => {
  const client = await world.user('by-hand');
  const input = { category: 'IDENTITY', key: 'profile:city', value: 'Porto' } as const;
  await client.execute(RECORD, { input });
  await sayFacts(world, client, '2026-03-30T09:00:00Z', 'I work as a baker.');
  await forgetCity(client);
  await sayFacts(world, client, '2026-03-30T09:30:00Z', 'I live in Porto.');
  expect((await factsOf(client)).active).toEqual(['profile:occupation = baker']);
  await sayFacts(world, client, '2026-03-31T10:00:00Z', 'I live in Lisbon.');
  expect((await factsOf(client)).active).toContain('profile:city = Lisbon');
});
