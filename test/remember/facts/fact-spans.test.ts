import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FORGET_FACT, factsOf, RECORD, RESTORE, RETRACT, spansOf } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-09-01T09:00:00Z');
});

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];
const IN_ORDER = ['2026-01 I live in Porto.', '2026-03 I live in Lisbon.'];

/** Says something on the 10th of each month, "2026-01 I live in Porto.", and returns the ids of the turns by their months. */
async function tell(client: Client, ...lines: string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const line of lines) {
    const month = line.slice(0, 7);
    const turn = { text: line.slice(8), occurredAt: `${month}-10T08:00:00Z` };
    const [said] = await say(client, { channel: 'sms', turns: [turn] });
    ids[month] = said?.id ?? '';
    await world.settle();
  }
  return ids;
}

async function idOf(client: Client, value: string, at: string): Promise<string> {
  const { facts } = await factsOf(client, { at });
  return facts.find((fact) => fact.value === value)?.id ?? '';
}

/** Records by hand where the user has lived since a day. */
async function record(client: Client, value: string, from: string, more = {}): Promise<string> {
  const validFrom = `${from}T00:00:00Z`;
  const input = { category: 'IDENTITY' as const, key: 'profile:city', value, validFrom, ...more };
  const { recordFact } = await client.execute(RECORD, { input });
  return recordFact.__typename === 'Fact' ? recordFact.id : '';
}

async function forget(client: Client, input: { turnId: string } | { factId: string }) {
  const answer = await client.execute(FORGET_FACT, { input });
  expect(answer.forget.__typename).toBe('ForgottenCounts');
  await world.settle();
}

/** What the rows of a user's facts hold of some text. */
async function linesOf(userId: string, text: string): Promise<string[]> {
  const { rows } = await world.ctx.db.pool.query<{ line: string }>(
    `SELECT f::text AS line FROM facts f WHERE user_id = $1
     UNION ALL SELECT v::text FROM fact_versions v WHERE user_id = $1`,
    [userId],
  );
  return rows.map(({ line }) => line).filter((line) => line.includes(text));
}

describe.each([
  ['in order', IN_ORDER],
  ['out of order', IN_ORDER.toReversed()],
])('of two facts received %s, the earlier holds again', (how, said) => {
  it('when the later is retracted', async () => {
    const client = await world.user(`retracted ${how}`);
    await tell(client, ...said);
    expect(await spansOf(client, MONTHS)).toEqual([
      'Porto 2026-01-10..2026-03-10',
      'Lisbon 2026-03-10..',
    ]);
    await client.execute(RETRACT, { factId: await idOf(client, 'Lisbon', '2026-04-01T00:00:00Z') });
    expect(await spansOf(client, MONTHS)).toEqual(['Porto 2026-01-10..']);
  });

  it('when the turn of the later is forgotten, whose date is kept nowhere', async () => {
    const client = await world.user(`forgotten ${how}`);
    const ids = await tell(client, ...said);
    await forget(client, { turnId: ids['2026-03'] ?? '' });
    expect(await spansOf(client, MONTHS)).toEqual(['Porto 2026-01-10..']);
  });
});

describe('what was recorded by hand stays when a turn that also says it is forgotten', () => {
  it('with its pin and the words given, but without the date and the words of the turn', async () => {
    const client = await world.user('confirmed');
    const ids = await tell(client, '2026-01 I live in Porto.', '2026-03 I live in Lisbon.');
    await record(client, 'Lisbon', '2026-05-01', { pinned: true, statement: 'Home is Lisbon.' });
    await forget(client, { turnId: ids['2026-03'] ?? '' });
    const { facts } = await factsOf(client);
    expect(facts).toMatchObject([
      { value: 'Lisbon', statement: 'Home is Lisbon.', origin: 'HAND', pinned: true, turns: [] },
    ]);
    expect(await spansOf(client, MONTHS)).toEqual([
      'Porto 2026-01-10..2026-05-01',
      'Lisbon 2026-05-01..',
    ]);
    expect(await linesOf('confirmed', '2026-03-10')).toEqual([]);
  });

  it('from the day given, which is before that of the turns', async () => {
    const client = await world.user('since');
    const ids = await tell(client, '2026-03 I live in Lisbon.');
    await record(client, 'Lisbon', '2025-05-01');
    await tell(client, '2026-04 I live in Lisbon.');
    await forget(client, { turnId: ids['2026-03'] ?? '' });
    expect(await spansOf(client, MONTHS)).toEqual(['Lisbon 2025-05-01..']);
    expect(await linesOf('since', '2026-03-10')).toEqual([]);
  });

  it('from the day given, once what said it of an earlier day is gone', async () => {
    const client = await world.user('extended');
    await record(client, 'Lisbon', '2026-05-01');
    const ids = await tell(client, '2026-03 I live in Lisbon.', '2026-02 I live in Lisbon.');
    await forget(client, { turnId: ids['2026-02'] ?? '' });
    expect(await spansOf(client, MONTHS)).toEqual(['Lisbon 2026-03-10..']);
    await forget(client, { turnId: ids['2026-03'] ?? '' });
    expect(await spansOf(client, MONTHS)).toEqual(['Lisbon 2026-05-01..']);
    expect(await linesOf('extended', '2026-03-10')).toEqual([]);
  });
});

describe('diets that exclude each other never overlap', () => {
  const DIETS = [
    'pescatarian 2026-01-10..2026-03-10',
    'vegetarian 2026-03-10..2026-05-10',
    'vegan 2026-05-10..',
  ];

  it('also when the first is heard of last', async () => {
    const client = await world.user('diets');
    await tell(
      client,
      "2026-03 I'm vegetarian.",
      "2026-05 I'm vegan now.",
      "2026-01 I'm pescatarian.",
    );
    expect(await spansOf(client, MONTHS)).toEqual(DIETS);
  });

  it('also when one is retracted and restored', async () => {
    const client = await world.user('restored-diet');
    await tell(
      client,
      "2026-01 I'm pescatarian.",
      "2026-03 I'm vegetarian.",
      "2026-05 I'm vegan now.",
    );
    const factId = await idOf(client, 'pescatarian', '2026-02-01T00:00:00Z');
    await client.execute(RETRACT, { factId });
    await client.execute(RESTORE, { factId });
    expect(await spansOf(client, MONTHS)).toEqual(DIETS);
  });
});

describe('what was refused as less sure than another fact is believed', () => {
  it.each(['retracted', 'forgotten'])('once that fact is %s', async (how) => {
    const client = await world.user(`refused ${how}`);
    const factId = await record(client, 'Berlin', '2026-01-01');
    await tell(client, '2026-03 I live in Lisbon.');
    expect((await factsOf(client)).refusals).toMatchObject([{ reason: 'less sure' }]);
    if (how === 'forgotten') await forget(client, { factId });
    else await client.execute(RETRACT, { factId });
    await world.settle();
    expect(await spansOf(client, MONTHS)).toEqual(['Lisbon 2026-03-10..']);
    expect((await factsOf(client)).refusals).toEqual([]);
  });
});

it('what was retracted is not believed again from what was said before that, but from what is said later', async () => {
  const client = await world.user('taken-back');
  await tell(client, '2026-03 I live in Lisbon.');
  const factId = await idOf(client, 'Lisbon', '2026-04-01T00:00:00Z');
  await client.execute(RETRACT, { factId });
  await tell(client, '2026-02 I live in Lisbon.', '2026-05 I live in Lisbon.');
  expect(await spansOf(client, MONTHS)).toEqual([]);
  world.now = new Date('2026-11-01T09:00:00Z');
  await tell(client, '2026-10 I live in Lisbon.');
  expect(await spansOf(client, [...MONTHS, '2026-10'])).toEqual(['Lisbon 2026-10-10..']);
});
