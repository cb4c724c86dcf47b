import { expect, it, vi } from 'vitest';
import { forget } from '../../src/remember/operations/forget.ts';
import { embedFacts } from '../../src/remember/vectors/embed-facts.ts';
import { byToken, serveArchives } from '../support/archive.ts';
import { say } from '../support/samples/conversation.ts';
import { TABLES } from '../support/samples/promises.ts';
import { createWorld, type World } from '../support/world.ts';

vi.mock('../../src/db/kinds/kinds.ts', async (original) => {
  const { KINDS, DESCRIBED_KINDS } = await original<typeof import('../../src/db/kinds/kinds.ts')>();
  const { PROMISES } = await import('../support/samples/promises.ts');
  return { KINDS: [...KINDS, PROMISES], DESCRIBED_KINDS: [...DESCRIBED_KINDS, PROMISES] };
});

const rowsOf = async ({ ctx }: World, userId: string, table: string) =>
  (await ctx.db.pool.query(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).rowCount;

/** Searches promises by words alone, and by the vector of a text. */
async function search({ ctx }: World, userId: string, query: string) {
  const { embedder } = ctx;
  const [vector = null] = (await embedder?.embed([query], { priority: 'query', userId })) ?? [];
  const filter = { from: null, to: null, asOf: null, factsAt: ctx.clock() };
  const anywhere = { threadIds: null, channels: null, speakers: null, categories: null };
  const found = await ctx.memory(userId).read((memory) =>
    memory.searchMemories.searchMemories({
      userId,
      forms: [query],
      vector,
      embedder: embedder?.name ?? '',
      kinds: ['PROMISE' as never],
      filter: { ...filter, ...anywhere },
      weights: { k1: 1.2, b: 0.75, candidates: 5 },
    }),
  );
  return found.map(({ kind, id: found, bm25, similarity }) => ({
    promise: `${kind} ${found}`,
    byWords: bm25 > 0,
    byVector: similarity !== null,
  }));
}

it('a kind that is added to the list is searched, embedded, counted, archived and erased', async () => {
  await using world = await createWorld();
  const { ctx } = world;
  await ctx.db.pool.query(TABLES);
  const ana = await world.user('ana');
  await say(ana, { channel: 'sms', turns: [{ text: 'I will bring the ladder on Friday.' }] });
  await say(ana, { channel: 'sms', turns: [{ text: 'I will paint the fence.' }] });
  await world.settle();
  await ctx.db.pool.query(`
    INSERT INTO promises (user_id, id, turn_id, promise, made_at)
    SELECT user_id, id, id, text, occurred_at FROM turns WHERE user_id = 'ana'`);

  const byWords = { promise: 'PROMISE 1', byWords: true };
  expect(await search(world, 'ana', 'ladder')).toEqual([{ ...byWords, byVector: false }]);
  await embedFacts(ctx, 'ana');
  expect(await rowsOf(world, 'ana', 'promise_vectors')).toBe(2);
  expect(await search(world, 'ana', 'ladder')).toContainEqual({ ...byWords, byVector: true });
  const backlog = await ctx.memory('ana').read((memory) => memory.backlog.read(null, world.now));
  expect(backlog).toMatchObject({ turnsToIndex: 0, promisesToKeep: 2 });

  await using server = await serveArchives(world);
  const archive = await (await server.fetchArchive('ana', await byToken('ana'))).text();
  expect(archive).toContain('"type":"promise"');
  const sent = await server.sendArchive('copy', await byToken('copy'), archive);
  expect(sent.body.imported).toMatchObject({ turn: 2, promise: 2 });
  expect(await rowsOf(world, 'copy', 'promises')).toBe(2);

  expect(await forget(ctx, 'ana', { kind: 'turn', id: 1 })).toMatchObject({ turns: 1, facts: 1 });
  expect(await rowsOf(world, 'ana', 'promises')).toBe(1);
  expect(await rowsOf(world, 'ana', 'promise_vectors')).toBe(1);
  expect(await search(world, 'ana', 'ladder')).not.toContainEqual(expect.objectContaining(byWords));
  await ctx.db.pool.query(`INSERT INTO promise_vectors VALUES ('ana', 2, 'former')`);
  const dropped = await ctx
    .memory('ana')
    .write((memory) => memory.vectorIndex.dropFormer(ctx.embedder?.name ?? ''));
  expect(dropped).toEqual([{ embedder: 'former', vectors: 1 }]);
  await forget(ctx, 'ana', { kind: 'user' });
  expect(await rowsOf(world, 'ana', 'promises')).toBe(0);
});
