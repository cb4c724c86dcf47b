import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { forget } from '../../../src/remember/operations/forget.ts';
import { readGlobalId } from '../../../src/schema/core/global-id.ts';
import { dumpOf, linesWith } from '../../support/database/dump.ts';
import { factsOf, RETRACT, unsure } from '../../support/facts.ts';
import { graphql } from '../../support/generated/gql.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

vi.setConfig({ testTimeout: 120_000 });

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  world.now = new Date('2026-03-03T09:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

const PIN = graphql(`
  mutation PinRetold($factId: ID!) {
    pinFact(factId: $factId) {
      __typename
    }
  }
`);

/** Says some turns a minute apart and lets all be learned; `> ` begins what the assistant says. */
async function tell(userId: string, ...texts: string[]) {
  const client = await world.user(userId);
  const turns = texts.map((text, minute) => ({
    text: text.replace(/^> /, ''),
    role: text.startsWith('> ') ? ('ASSISTANT' as const) : ('USER' as const),
    occurredAt: `2026-03-02T08:1${minute}:00Z`,
  }));
  const said = await say(client, { channel: 'sms', turns });
  await world.settle();
  return { client, ids: said.map(({ id }) => Number(readGlobalId(id)?.key.at(-1))) };
}

/** What a user's rows hold of a word. */
const rowsWith = async (userId: string, word: string) =>
  linesWith(await dumpOf(world), word).filter((line) => line.includes(`(${userId},`));

const userOf = (what: string) => what.replace(/\W/g, '-');

const forgetTurn = (userId: string, turnId = 0) =>
  forget(world.ctx, userId, { kind: 'turn', id: turnId });

it('a fact that two turns state stays, still pinned, in the words and from the time of the remaining turn', async () => {
  const { client, ids } = await tell('two', 'I use Python at Quixotl.', 'I use Python.');
  const [before] = (await factsOf(client)).facts;
  expect(before).toMatchObject({ statement: 'The user uses Python at Quixotl.', mentions: 2 });
  await client.execute(PIN, { factId: before?.id ?? '' });
  await forgetTurn('two', ids[0]);
  expect(await rowsWith('two', 'quixotl')).toEqual([]);
  const { facts } = await factsOf(client);
  expect(facts).toMatchObject([
    {
      id: before?.id,
      statement: 'The user uses Python.',
      validFrom: '2026-03-02T08:11:00.000Z',
      mentions: 1,
      pinned: true,
      turns: [{ text: 'I use Python.' }],
    },
  ]);
  const ends = `SELECT valid_to AS "validTo" FROM fact_versions WHERE user_id = 'two'`;
  expect((await world.ctx.db.pool.query(ends)).rows).toEqual([{ validTo: null }]);
});

it('a retracted fact stays retracted when one of its turns is forgotten', async () => {
  const { client, ids } = await tell('back', 'I use Python at Quixotl.', 'I use Python.');
  const [fact] = (await factsOf(client)).facts;
  await client.execute(RETRACT, { factId: fact?.id ?? '' });
  await forgetTurn('back', ids[0]);
  await world.settle();
  expect((await factsOf(client)).active).toEqual([]);
  expect(await rowsWith('back', 'quixotl')).toEqual([]);
});

it.each([
  [
    'a place that only the question names',
    ['> Do you mean the one in Zorbania?', 'yes, I live there'],
    0,
  ],
  ['a name that "she" stands for', ['My sister Zorbania visited.', 'She likes tea.'], 0],
  [
    'a name given to whom was spoken of',
    ['My sister is 30 years old.', "My sister's name is Zorbania."],
    1,
  ],
])('%s is erased from facts that were understood with its help', async (what, texts, gone) => {
  const { client, ids } = await tell(userOf(what), ...texts, 'I like cheese.');
  expect(JSON.stringify((await factsOf(client)).facts).toLowerCase()).toContain('zorbania');
  await forgetTurn(userOf(what), ids[gone]);
  expect(await rowsWith(userOf(what), 'zorbania')).toEqual([]);
  await world.settle();
  expect(await rowsWith(userOf(what), 'zorbania')).toEqual([]);
  expect((await factsOf(client)).active).toContain('preference:cheese = cheese');
});

it('forgetting a correction restores what it had corrected, without its date', async () => {
  const { client, ids } = await tell('moved', 'I live in Porto.', 'Actually I moved to Zorbania.');
  await forgetTurn('moved', ids[1]);
  expect((await factsOf(client)).facts).toMatchObject([
    { value: 'Porto', active: true, validTo: null },
  ]);
  expect(await rowsWith('moved', '08:11:00')).toEqual([]);
});

it('a candidate refused because of a more confident fact is stored once that fact is forgotten', async () => {
  const { client, ids } = await tell('unsure', 'My name is Quixotl.');
  const { rules } = world.ctx;
  world.with({
    rules: {
      ...rules,
      readTurns: async (...asked) => unsure(await rules.readTurns(...asked)),
    },
  });
  const occurredAt = '2026-03-02T08:20:00Z';
  await say(client, { channel: 'sms', turns: [{ text: 'My name is Al.', occurredAt }] });
  await world.settle();
  world.restore();
  expect((await factsOf(client)).refusals).toMatchObject([{ value: 'Al', reason: 'less sure' }]);
  await forgetTurn('unsure', ids[0]);
  await world.settle();
  expect(await factsOf(client)).toMatchObject({ active: ['profile:name = Al'], refusals: [] });
});
