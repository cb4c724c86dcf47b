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
  const turns = TEXTS.map((text) => ({ text, occurredAt }));
  await say(client, { channel: 'sms', turns });
  const { rows } = await world.ctx.db.pool.query('SELECT id FROM threads');
  threadId = rows[0].id;
});
afterAll(() => world[Symbol.asyncDispose]());

const read = (stretches: [from: number, to: number][], bounds?: object) =>
  world.ctx.memory('ann').read(async (memory) => {
    const places = stretches.map(([from, to]) => ({ threadId, from, to }));
    const turns = await memory.turns.inStretches(places, bounds);
    return turns.map(({ text }) => text);
  });

it.each<
  [what: string, stretches: [number, number][], bounds: object, texts: (string | undefined)[]]
>([
  ['all of a thread', [[1, 9]], {}, TEXTS],
  [
    'stretches that overlap: each turn once',
    [
      [2, 3],
      [-3, 2],
    ],
    {},
    TEXTS.slice(0, 3),
  ],
  ['the beginning of long texts', [[1, 4]], { each: 10 }, TEXTS.map((text) => text.slice(0, 10))],
  ['up to the turn that is too much', [[1, 4]], { bytes: 6 }, TEXTS.slice(0, 2)],
  ['nothing', [], {}, []],
])('stretches are read: %s', async (_, stretches, bounds, texts) => {
  expect(await read(stretches, bounds)).toEqual(texts);
});
