import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFacts, FORGET_FACT, factsOf, RECORD, RESTORE, RETRACT } from '../../support/facts.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-09-01T09:00:00Z');
});

/** Records where the user has lived since the first of a month of 2026. */
async function livesIn(client: Client, value: string, month: number): Promise<string> {
  const validFrom = new Date(Date.UTC(2026, month - 1, 1)).toISOString();
  const { recordFact } = await client.execute(RECORD, {
    input: { category: 'IDENTITY', key: 'profile:city', value, validFrom },
  });
  if (recordFact.__typename !== 'Fact') throw new Error(JSON.stringify(recordFact));
  return recordFact.id;
}

/** Where the user lived in which months, by what is believed: "Porto 1-5, Lisbon 5-". */
async function cities(client: Client): Promise<string> {
  const spans = new Map<string, string>();
  for (const month of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const at = new Date(Date.UTC(2026, month - 1, 15)).toISOString();
    const { facts } = await factsOf(client, { at, key: 'profile:city' });
    for (const { id, value, validFrom, validTo } of facts) {
      const monthOf = (time: string | null | undefined) => time && new Date(time).getUTCMonth() + 1;
      spans.set(id, `${value} ${monthOf(validFrom)}-${monthOf(validTo) ?? ''}`);
    }
  }
  return [...spans.values()].join(', ');
}

describe('what a retracted fact had replaced', () => {
  it('is believed again, with its history and an event, until the retraction is undone', async () => {
    const client = await world.user('replaced');
    await livesIn(client, 'Porto', 1);
    const lisbon = await livesIn(client, 'Lisbon', 5);
    const before = world.now.toISOString();
    world.now = new Date('2026-09-02T09:00:00Z');
    await client.execute(RETRACT, { factId: lisbon });
    expect(await cities(client)).toBe('Porto 1-');
    const { facts, events } = await factsOf(client);
    expect(facts).toMatchObject([{ value: 'Porto', active: true }]);
    expect(facts[0]?.history[0]).toMatchObject({ value: 'Porto', supersededBy: null });
    expect(facts[0]?.versions.map(({ change }) => change)).toEqual([
      ...['RECORDED', 'CLOSED', 'RESTORED'],
    ]);
    expect(events).toEqual(expect.arrayContaining(['FACT_RETRACTED', 'FACT_RESTORED']));
    const believed = await factsOf(client, { knownAt: before });
    expect(believed.active).toEqual(['profile:city = Lisbon']);
    await client.execute(RESTORE, { factId: lisbon });
    expect(await cities(client)).toBe('Porto 1-5, Lisbon 5-');
  });

  it('holds up to the end of that fact only, in whatever order facts are retracted', async () => {
    const client = await world.user('chain');
    await livesIn(client, 'Porto', 1);
    const lisbon = await livesIn(client, 'Lisbon', 3);
    const braga = await livesIn(client, 'Braga', 6);
    await client.execute(RETRACT, { factId: lisbon });
    expect(await cities(client)).toBe('Porto 1-6, Braga 6-');
    await client.execute(RETRACT, { factId: braga });
    expect(await cities(client)).toBe('Porto 1-');
    await client.execute(RESTORE, { factId: lisbon });
    await client.execute(RESTORE, { factId: braga });
    expect(await cities(client)).toBe('Porto 1-3, Lisbon 3-6, Braga 6-');
    await client.execute(FORGET_FACT, { input: { factId: braga } });
    await client.execute(RETRACT, { factId: lisbon });
    expect(await cities(client)).toBe('Porto 1-');
  });

  it('stays replaced by what was recorded in between', async () => {
    const client = await world.user('between');
    await livesIn(client, 'Porto', 1);
    await livesIn(client, 'Braga', 6);
    const lisbon = await livesIn(client, 'Lisbon', 3);
    expect(await cities(client)).toBe('Porto 1-3, Lisbon 3-6, Braga 6-');
    await client.execute(RETRACT, { factId: lisbon });
    expect(await cities(client)).toBe('Porto 1-6, Braga 6-');
  });
});

describe('a retracted fact whose value is believed again', () => {
  it('is not restored while another fact says the same of its time', async () => {
    const client = await world.user('same-before');
    const factId = await livesIn(client, 'Porto', 3);
    await client.execute(RETRACT, { factId });
    await livesIn(client, 'Porto', 2);
    const { restoreFact } = await client.execute(RESTORE, { factId });
    expect(restoreFact).toMatchObject({
      __typename: 'InvalidInputError',
      message: expect.stringMatching(/^factId: cannot be restored: another fact/),
    });
    expect(await cities(client)).toBe('Porto 2-');
  });

  it('is restored up to the beginning of the other', async () => {
    const client = await world.user('same-after');
    const factId = await livesIn(client, 'Porto', 3);
    await client.execute(RETRACT, { factId });
    await livesIn(client, 'Porto', 6);
    await client.execute(RESTORE, { factId });
    expect(await cities(client)).toBe('Porto 3-6, Porto 6-');
    const { facts } = await factsOf(client);
    expect(facts[0]?.history.map(({ supersededBy }) => supersededBy?.id)).toEqual([
      facts[0]?.id,
      undefined,
    ]);
  });
});

it('what a forgotten fact had replaced stays replaced by what was recorded before', async () => {
  const client = await world.user('forgotten-between');
  await livesIn(client, 'Porto', 1);
  await livesIn(client, 'Braga', 6);
  const lisbon = await livesIn(client, 'Lisbon', 3);
  await client.execute(FORGET_FACT, { input: { factId: lisbon } });
  expect(await cities(client)).toBe('Porto 1-6, Braga 6-');
});

it('a denial that is recorded without a sentence reads as one', async () => {
  const client = await world.user('denial');
  const input = { category: 'CONSTRAINT', value: 'nuts', polarity: 'NEGATIVE' } as const;
  await client.execute(RECORD, { input });
  const { facts } = await factsOf(client);
  expect(facts).toMatchObject([{ value: 'nuts', statement: 'not nuts', polarity: 'NEGATIVE' }]);
});

it('a fact replaces the one under its key, however many other facts were recorded since', async () => {
  const client = await world.user('many');
  await livesIn(client, 'Porto', 1);
  await addFacts(world, client, 2_000);
  await livesIn(client, 'Lisbon', 5);
  expect(await cities(client)).toBe('Porto 1-5, Lisbon 5-');
});
