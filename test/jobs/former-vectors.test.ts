import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { catchUp } from '../../src/jobs/catch-up.ts';
import { dropVectors } from '../../src/remember/vectors/drop-vectors.ts';
import { embedTurns } from '../../src/remember/vectors/embed-turns.ts';
import { createEmbeddingWorld, openEmbedder, vectorsOf } from '../support/models/model-embedder.ts';
import type { ModelServer } from '../support/models/model-server.ts';
import { say } from '../support/samples/conversation.ts';
import type { World } from '../support/world.ts';

let server: ModelServer;
let world: World;
beforeAll(async () => {
  ({ server, world } = await createEmbeddingWorld());
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  world.with({ embedder: openEmbedder(server, { model: 'old' }) });
});

const stored = (userId: string) => vectorsOf(world, userId);
const later = (milliseconds: number) => {
  world.now = new Date(world.now.getTime() + milliseconds);
};
const HOUR = 3_600_000;

/** A user with so many turns, all with their vectors by the old model. */
async function remembering(userId: string, count: number) {
  const turns = Array.from({ length: count }, (_, n) => ({ text: `pelican number ${n}` }));
  await say(await world.user(userId), { channel: 'sms', turns });
  await world.settle();
}

it('the former vectors are kept for an hour after each switch of the embedder, also when it is switched back and forth', async () => {
  await remembering('forth', 3);
  const both = { 'openai:old@8': 3, 'openai:wide@3072': 3 };
  const use = async (model: string) => {
    world.with({ embedder: openEmbedder(server, { model }) });
    await catchUp(world.ctx);
    await world.settle();
    expect(await stored('forth')).toEqual(both);
  };
  await use('wide');
  for (const model of ['old', 'wide', 'old']) {
    later(HOUR - 60_000);
    await use(model);
  }
  later(HOUR - 1_000);
  await world.settle();
  expect(await stored('forth')).toEqual(both);
  later(1_000);
  await world.settle();
  expect(await stored('forth')).toEqual({ 'openai:old@8': 3 });
});

it('a server that is being replaced does not delete the vectors that its successor makes', async () => {
  await remembering('overlap', 70);
  const old = world.ctx.embedder;
  const wide = openEmbedder(server, { model: 'wide' });
  world.with({ embedder: wide });
  await embedTurns(world.ctx, 'overlap');
  world.with({ embedder: old });
  expect(await dropVectors(world.ctx, 'overlap')).toBe('done');
  expect(await stored('overlap')).toEqual({ 'openai:old@8': 70, 'openai:wide@3072': 64 });
  world.with({ embedder: wide });
  await embedTurns(world.ctx, 'overlap');
  expect(await stored('overlap')).toEqual({ 'openai:old@8': 70, 'openai:wide@3072': 70 });
});

it('vectors that were deleted while the next ones were made are all made again', async () => {
  await remembering('dropped', 70);
  const { ctx } = world;
  const wide = openEmbedder(server, { model: 'wide' });
  world.with({ embedder: wide });
  await embedTurns(ctx, 'dropped');
  world.with({
    embedder: {
      ...wide,
      ...(await wide.identify()),
      embed: async (texts, options) => {
        world.with({ embedder: wide });
        await ctx
          .memory('dropped')
          .write((memory) => memory.vectorIndex.dropFormer('openai:old@8'));
        return wide.embed(texts, options);
      },
    },
  });
  await expect(embedTurns(ctx, 'dropped')).rejects.toThrow('starts again');
  while ((await embedTurns(ctx, 'dropped')) === 'again');
  expect(await stored('dropped')).toEqual({ 'openai:old@8': 70, 'openai:wide@3072': 70 });
});
