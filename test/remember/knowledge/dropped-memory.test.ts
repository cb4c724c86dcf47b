import { afterAll, beforeAll, expect, it } from 'vitest';
import { consolidate, knowledgeOf, recorder } from '../../support/consolidation.ts';
import { FORGET_MEMORY } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { talkOf } from '../../support/samples/days.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-03-31T12:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

it('a memory is dropped, once, when all that is left of it says nothing', async () => {
  const client = await recorder(world, 'wordless');
  const [long] = talkOf(1);
  const said = { text: long?.text ?? '', occurredAt: '2026-03-01T09:00:00Z' };
  const nod = { text: 'ok', occurredAt: '2026-03-01T09:01:00Z' };
  const [turn] = await say(client, { channel: 'sms', turns: [said, nod] });
  await world.settle();
  expect(await consolidate(client)).toMatchObject({ semanticMemoriesCreated: 1 });
  const input = { turnId: turn?.id ?? '' };
  expect((await client.execute(FORGET_MEMORY, { input })).forget).toMatchObject({ turns: 1 });
  world.statements.length = 0;
  await world.settle();
  expect(world.sent(/drop-empty/)).toHaveLength(1);
  expect(await knowledgeOf(client)).toMatchObject({
    memories: [],
    episodes: [{ summarizedInto: null }],
  });
  expect(await consolidate(client)).toMatchObject({ episodesProcessed: 0, semanticMemory: null });
});
