import { afterAll, beforeAll, expect, it } from 'vitest';
import { receive } from '../../../src/remember/turns/receive.ts';
import { toLoad } from '../../../src/remember/turns/remember-together.ts';
import type { TurnInput } from '../../support/generated/graphql.ts';
import { REMEMBER, say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

const LONG = 'It is quiet here. '.repeat(5_000);
const look = (result: string | null) => ({ name: 'look', ok: true, result });

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

/** The characters that the hot path reads before it stores a call. */
async function charactersRead(userId: string, turns: TurnInput[]): Promise<number> {
  const received = receive({ channel: 'sms', turns }, world.now);
  const reading = Promise.resolve(new Map());
  const asked = toLoad({ userId, threadId: null, isImport: false, received, reading });
  const read = await world.ctx.memory(userId).read((memory) => memory.remember.load([asked]));
  return JSON.stringify([...read]).length;
}

it('turns that are sent again are compared without reading their texts and tool calls', async () => {
  const client = await world.user('weight');
  const turns = Array.from({ length: 20 }, (_, n) => ({
    text: `${n} ${LONG}`,
    toolCalls: [look(`${n} ${LONG}`)],
    idempotencyKey: `${n}`,
  }));
  await say(client, { channel: 'sms', turns });
  expect(await charactersRead('weight', turns)).toBeLessThan(20_000);
  expect(
    await charactersRead(
      'weight',
      turns.map((turn) => ({ ...turn, text: 'Hm.' })),
    ),
  ).toBeLessThan(10_000);
  const again = await say(client, { channel: 'sms', turns });
  expect(again.map(({ status, text }) => [status, text])).toEqual(
    turns.map(({ text }) => ['ALREADY_STORED', text]),
  );
});

const TOLD = {
  text: 'Ice 🎉 "\\n" é',
  toolCalls: [look('found'), look(null), { name: 'é "\t', ok: false }],
};

it.each<[what: string, told: TurnInput, status: 'ALREADY_STORED' | 'CONFLICT']>([
  ['the same', TOLD, 'ALREADY_STORED'],
  [
    'without a result or with none',
    {
      ...TOLD,
      toolCalls: [
        look('found'),
        { name: 'look', ok: true },
        { name: 'é "\t', ok: false, result: null },
      ],
    },
    'ALREADY_STORED',
  ],
  ['another text as long', { ...TOLD, text: 'Ice 🎉 "\\n" è' }, 'CONFLICT'],
  ['a longer text', { ...TOLD, text: `${TOLD.text} ` }, 'CONFLICT'],
  ['no tool calls', { ...TOLD, toolCalls: [] }, 'CONFLICT'],
  [
    'another result as long',
    { ...TOLD, toolCalls: [look('fount'), ...TOLD.toolCalls.slice(1)] },
    'CONFLICT',
  ],
  [
    'another outcome',
    { ...TOLD, toolCalls: [{ ...look('found'), ok: false }, ...TOLD.toolCalls.slice(1)] },
    'CONFLICT',
  ],
  [
    'the tool calls in another order',
    { ...TOLD, toolCalls: TOLD.toolCalls.toReversed() },
    'CONFLICT',
  ],
  [
    'letters moved from a name to its result',
    {
      ...TOLD,
      toolCalls: [{ name: 'loo', ok: true, result: 'kfound' }, ...TOLD.toolCalls.slice(1)],
    },
    'CONFLICT',
  ],
  ['another role', { ...TOLD, role: 'ASSISTANT' }, 'CONFLICT'],
])('a turn with a stored key, and %s', async (what, told, status) => {
  const client = await world.user(`told: ${what}`);
  const keyed = (turn: TurnInput) => ({
    channel: 'sms',
    turns: [{ ...turn, idempotencyKey: 'k' }],
  });
  await say(client, keyed(TOLD));
  const { remember } = await client.execute(REMEMBER, { input: keyed(told) });
  expect(remember).toMatchObject(
    status === 'CONFLICT'
      ? { __typename: 'IdempotencyConflictError' }
      : { turns: [{ status, turn: { text: TOLD.text } }] },
  );
});

it('a turn without tool calls is not the same with some', async () => {
  const client = await world.user('bare');
  const turn = { text: 'Ice.', idempotencyKey: 'k' };
  await say(client, { channel: 'sms', turns: [turn] });
  const input = { channel: 'sms', turns: [{ ...turn, toolCalls: [look(null)] }] };
  const { remember } = await client.execute(REMEMBER, { input });
  expect(remember.__typename).toBe('IdempotencyConflictError');
});
