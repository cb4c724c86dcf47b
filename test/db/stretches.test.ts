import { afterAll, beforeAll, expect, it } from 'vitest';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

const TEXTS = ['Short.', 'ก'.repeat(40), 'Nine more words than anybody would read of it.', 'Bye.'];

let world: World;
let threadId: number;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  const client = await world.user('ann');
  const occurredAt = '2026-03-02T08:00:00Z';
  const toolCalls = [
    { name: 'look', ok: false, result: 'r'.repeat(50_000) },
    { name: 'close', ok: true },
  ];
  const turns = TEXTS.map((text, at) => ({ text, occurredAt, ...(at === 3 && { toolCalls }) }));
  await say(client, { channel: 'sms', turns });
  const { rows } = await world.ctx.db.pool.query('SELECT id FROM threads');
  threadId = rows[0].id;
});
afterAll(() => world[Symbol.asyncDispose]());

type Stretches = [from: number, to: number][];

/** The turns as background steps read them (`each`), or in whole texts (`bytes`). */
const read = (stretches: Stretches, bounds: { each: number } | { bytes: number }) =>
  world.ctx.memory('ann').read((memory) => {
    const places = stretches.map(([from, to]) => ({ threadId, from, to }));
    return 'each' in bounds
      ? memory.turns.inStretches(places, bounds)
      : memory.turns.textsInStretches(places, bounds.bytes);
  });

it.each<[what: string, stretches: Stretches, bounds: Parameters<typeof read>[1], texts: string[]]>([
  ['all of a thread', [[1, 9]], { each: 1_000 }, TEXTS],
  [
    'stretches that overlap: each turn once',
    [
      [2, 3],
      [-3, 2],
    ],
    { bytes: 1_000 },
    TEXTS.slice(0, 3),
  ],
  ['the beginning of long texts', [[1, 4]], { each: 10 }, TEXTS.map((text) => text.slice(0, 10))],
  ['up to the turn that is too much', [[1, 4]], { bytes: 6 }, TEXTS.slice(0, 2)],
  ['nothing', [], { each: 1_000 }, []],
])('stretches are read: %s', async (_, stretches, bounds, texts) => {
  expect((await read(stretches, bounds)).map(({ text }) => text)).toEqual(texts);
});

it('of the results of tools only the beginnings are read, or nothing', async () => {
  expect((await read([[4, 4]], { each: 10 }))[0]).toMatchObject({
    toolCalls: [
      { name: 'look', ok: false, result: 'r'.repeat(1_000) },
      { name: 'close', ok: true, result: null },
    ],
  });
  expect((await read([[3, 3]], { each: 10 }))[0]).toMatchObject({ toolCalls: null });
  expect((await read([[4, 4]], { bytes: 10 }))[0]).not.toHaveProperty('toolCalls');
});
