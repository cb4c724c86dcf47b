import { afterAll, beforeAll, expect, it } from 'vitest';
import { catchUp } from '../../src/jobs/catch-up.ts';
import { consolidate, echo, recorder } from '../support/consolidation.ts';
import { createEmbeddingWorld, openEmbedder } from '../support/models/model-embedder.ts';
import type { ModelServer } from '../support/models/model-server.ts';
import { say } from '../support/samples/conversation.ts';
import { talkOn } from '../support/samples/days.ts';
import type { World } from '../support/world.ts';

let server: ModelServer;
let world: World;
beforeAll(async () => {
  ({ server, world } = await createEmbeddingWorld());
  world.now = new Date('2026-03-31T12:00:00Z');
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** A user's vectors of semantic memories by embedder. */
const stored = async (userId: string) => {
  const { rows } = await world.ctx.db.pool.query<{ embedder: string; vector: string }>(
    `SELECT embedder, embedding::text AS vector FROM semantic_memory_vectors
     WHERE user_id = $1 ORDER BY embedder, semantic_memory_id`,
    [userId],
  );
  return rows;
};
const embedders = async (userId: string) => (await stored(userId)).map(({ embedder }) => embedder);

it('a semantic memory has a vector of its summary, and a new one when the summary changes', async () => {
  const client = await recorder(world, 'anew');
  echo(world);
  await talkOn(world, client, 1, 3);
  const before = await stored('anew');
  expect(before).toEqual([{ embedder: 'openai:old@8', vector: expect.any(String) }]);
  const text = 'The new flat in Foz has a balcony, and we paint it green in April with my brother.';
  await say(client, { channel: 'sms', turns: [{ text, occurredAt: '2026-03-01T09:00:30Z' }] });
  await world.settle();
  const after = await stored('anew');
  expect(after).toHaveLength(1);
  expect(after[0]?.vector).not.toBe(before[0]?.vector);
});

it('semantic memories get vectors of a new embedder, and the former vectors are deleted later', async () => {
  const client = await recorder(world, 'changed');
  await talkOn(world, client, 1, 2);
  await consolidate(client);
  await world.settle();
  expect(await embedders('changed')).toEqual(['openai:old@8']);
  world.with({ embedder: openEmbedder(server, { model: 'wide' }) });
  await catchUp(world.ctx);
  await world.settle();
  expect(await embedders('changed')).toEqual(['openai:old@8', 'openai:wide@3072']);
  world.now = new Date(world.now.getTime() + 3_600_000);
  await world.settle();
  expect(await embedders('changed')).toEqual(['openai:wide@3072']);
});
