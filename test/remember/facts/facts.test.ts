import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { factsOf, RECORD, RESTORE, RETRACT, sayFacts } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-03-20T09:00:00Z');
});

describe('facts from what a user says', () => {
  it('Alex prefers Python, and is Alexander in full: each with the turn that said it', async () => {
    const client = await world.user('alex');
    await sayFacts(world, client, '2026-03-02T08:00:00Z', 'My name is Alex and I prefer Python.');
    expect((await factsOf(client)).active).toEqual([
      'profile:name = Alex',
      'preference:python = Python',
    ]);
    await sayFacts(world, client, '2026-03-03T08:00:00Z', 'My full name is Alexander.');
    const { active, facts } = await factsOf(client);
    expect(active.join()).toContain('Alexander');
    expect(facts.find(({ key }) => key === 'profile:name')?.turns[0]?.text).toContain('Alex');
  });

  it('"Luna turned 4" updates the fact, with its history, and makes no episode', async () => {
    const client = await world.user('luna');
    await sayFacts(world, client, '2025-06-01T08:00:00Z', 'My cat Luna is 3 years old.');
    await say(client, {
      channel: 'sms',
      turns: [{ text: 'Luna turned 4.', occurredAt: '2026-03-02T08:00:00Z' }],
    });
    // Known within 2 s of the acknowledgement.
    world.now = new Date(world.now.getTime() + 2_000);
    await world.settle();
    const { facts, events } = await factsOf(client);
    const age = facts.find(({ key }) => key === 'profile:pet:luna:age');
    expect(age).toMatchObject({ value: '4', active: true, validFrom: '2026-03-02T08:00:00.000Z' });
    expect(age).toMatchObject({ lastVerifiedAt: '2026-03-02T08:00:00.000Z' });
    expect(age?.updatedAt).toBe(world.now.toISOString());
    expect(age?.history).toMatchObject([
      { value: expect.stringMatching(/^3/), active: false, validTo: '2026-03-02T08:00:00.000Z' },
      { value: '4', active: true, validTo: null },
    ]);
    expect(age?.history[0]?.supersededBy?.id).toBe(age?.id);
    expect(events).toContain('FACT_SUPERSEDED');
    expect(events).not.toContain('EPISODE_CREATED');
  });

  it('what was true and what was believed can be asked for any date', async () => {
    const client = await world.user('timelines');
    world.now = new Date('2026-01-10T09:00:00Z');
    await sayFacts(world, client, '2026-01-10T08:00:00Z', 'I live in Porto.');
    world.now = new Date('2026-03-10T09:00:00Z');
    await sayFacts(world, client, '2026-03-10T08:00:00Z', 'I moved to Lisbon.');
    const city = async (args: { at?: string; knownAt?: string }) =>
      (await factsOf(client, { ...args, key: 'profile:city' })).facts.map(({ value }) => value);
    expect(await city({})).toEqual(['Lisbon']);
    expect(await city({ at: '2026-02-01T00:00:00Z' })).toEqual(['Porto']);
    expect(await city({ at: '2026-01-01T00:00:00Z' })).toEqual([]);
    expect(await city({ knownAt: '2026-02-01T00:00:00Z' })).toEqual(['Porto']);
    expect(await city({ at: '2026-03-15T00:00:00Z', knownAt: '2026-02-01T00:00:00Z' })).toEqual([
      'Porto',
    ]);
  });

  it('an older statement that is received later only adds closed history', async () => {
    const client = await world.user('older');
    await sayFacts(world, client, '2026-03-10T08:00:00Z', 'I live in Lisbon.');
    await sayFacts(world, client, '2026-01-10T08:00:00Z', 'I live in Porto.');
    const [fact] = (await factsOf(client, { key: 'profile:city' })).facts;
    expect(fact).toMatchObject({ value: 'Lisbon', active: true });
    expect(fact?.history).toMatchObject([
      {
        value: 'Porto',
        validFrom: '2026-01-10T08:00:00.000Z',
        validTo: '2026-03-10T08:00:00.000Z',
      },
      { value: 'Lisbon', validTo: null },
    ]);
  });
});

describe('what is no fact', () => {
  it.each([
    ['a question', 'USER', 'Is my name Alex?'],
    ['a supposition', 'USER', 'If I lived in Porto, I would surf.'],
    ['what is quoted', 'USER', 'She said: "I live in Porto."'],
    ['what another person says', 'OTHER', 'I live in Porto and my name is Rui.'],
    ['what the assistant says', 'ASSISTANT', 'My name is Alex and I live in Porto.'],
    ['what the system says', 'SYSTEM', 'My name is Alex.'],
    ['what a tool says', 'TOOL', 'My email is a@b.example'],
  ] as const)('no fact is made of %s', async (what, role, text) => {
    const client = await world.user(`none-${what.replaceAll(' ', '-')}`);
    await say(client, {
      channel: 'sms',
      turns: [{ role, text, occurredAt: '2026-03-02T08:00:00Z' }],
    });
    await world.settle();
    expect((await factsOf(client)).active).toEqual([]);
  });
});

describe('negations', () => {
  it('a denial is a fact with its own period, and a newer affirmation replaces it', async () => {
    const client = await world.user('negation');
    await sayFacts(world, client, '2026-03-01T08:00:00Z', 'I use Vim for everything.');
    await sayFacts(world, client, '2026-03-02T08:00:00Z', "I don't use Vim.");
    const denied = (await factsOf(client)).facts.filter(({ key }) => key === 'preference:vim');
    expect(denied).toMatchObject([{ polarity: 'NEGATIVE', active: true }]);
    await sayFacts(world, client, '2026-03-03T08:00:00Z', 'I use Vim again.');
    const again = (await factsOf(client)).facts.filter(({ key }) => key === 'preference:vim');
    expect(again).toMatchObject([{ polarity: 'POSITIVE', active: true }]);
    expect(again[0]?.history.map(({ polarity }) => polarity)).toEqual([
      'POSITIVE',
      'NEGATIVE',
      'POSITIVE',
    ]);
  });
});

describe('by hand', () => {
  it('a fact recorded by hand can be retracted and restored, and stays on record throughout', async () => {
    const client = await world.user('by-hand');
    await sayFacts(world, client, '2026-03-02T08:00:00Z', 'I live in Porto.');
    const { recordFact } = await client.execute(RECORD, {
      input: { category: 'IDENTITY', key: 'profile:city', value: 'Lisbon', pinned: true },
    });
    if (recordFact.__typename !== 'Fact') throw new Error(JSON.stringify(recordFact));
    expect(recordFact).toMatchObject({
      value: 'Lisbon',
      origin: 'HAND',
      pinned: true,
      confidence: 1,
    });
    expect((await factsOf(client)).active).toEqual(['profile:city = Lisbon']);
    const factId = recordFact.id;
    world.now = new Date('2026-03-21T09:00:00Z');
    await client.execute(RETRACT, { factId });
    expect((await factsOf(client)).active).toEqual(['profile:city = Porto']);
    world.now = new Date('2026-03-22T09:00:00Z');
    await client.execute(RESTORE, { factId });
    const { facts, events } = await factsOf(client);
    expect(facts).toMatchObject([{ value: 'Lisbon', active: true }]);
    expect(facts[0]?.versions.map(({ change }) => change)).toEqual([
      'RECORDED',
      'RETRACTED',
      'RESTORED',
    ]);
    expect(events).toEqual(expect.arrayContaining(['FACT_RETRACTED', 'FACT_RESTORED']));
    const between = await factsOf(client, {
      at: '2026-03-20T12:00:00Z',
      knownAt: '2026-03-21T12:00:00Z',
    });
    expect(between.active).toEqual(['profile:city = Porto']);
    const stranger = await world.user('by-hand-stranger');
    expect((await stranger.execute(RETRACT, { factId })).retractFact.__typename).toBe(
      'NotFoundError',
    );
  });

  it('a fact recorded by hand under a key with capitals is found by that key', async () => {
    const client = await world.user('by-hand-capitals');
    const input = { category: 'IDENTITY', key: 'profile:City', value: 'Lisbon' } as const;
    await client.execute(RECORD, { input });
    const { active } = await factsOf(client, { key: 'profile:City' });
    expect(active).toEqual(['profile:city = Lisbon']);
  });
});
