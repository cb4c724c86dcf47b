import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { say } from '../support/samples/conversation.ts';
import { fullMemory } from '../support/samples/full-memory.ts';
import type { Client, World } from '../support/world.ts';

/** Gives a thread four more segments. */
const MORE_SEGMENTS = `
INSERT INTO episodes (user_id, id, kind, thread_id, ordinal, parent_id, first_turn, last_turn, started_at, ended_at, capture)
SELECT user_id, id + 1000 * n, kind, thread_id, ordinal + n, parent_id, first_turn, last_turn, started_at, ended_at, 'SKIPPED'
FROM (SELECT * FROM episodes WHERE kind = 'SEGMENT' AND parent_id IS NOT NULL ORDER BY ordinal DESC LIMIT 1) AS e, generate_series(1, 4) AS n`;

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await fullMemory());
  await world.ctx.db.pool.query(MORE_SEGMENTS);
});
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  ['threads', 'turns'],
  ['threads', 'segments'],
  ['threads', 'links'],
  ['episodes', 'segments'],
  ['semanticMemories', 'episodes'],
])(
  'of the lists in the entries of viewer.%s, only the requested page of %s is read',
  async (outer, inner) => {
    const first = await read(outer, inner, 'first: 1');
    const last = await read(outer, inner, 'last: 1');
    const all = await read(outer, inner, 'first: 100');
    expect(Math.max(...all.lists.map((list) => list.length))).toBeGreaterThan(2);
    expect(first.lists).toEqual(all.lists.map((list) => list.slice(0, 1)));
    expect(last.lists).toEqual(all.lists.map((list) => list.slice(-1)));
    expect(first.bytes).toBeLessThan(all.bytes);
    expect(last.bytes).toBeLessThan(all.bytes);
  },
);

// They come as JSON, and the others as columns.
it('the rows of such a page have the same values as when they are read alone', async () => {
  const occurredAt = '2026-04-20T11:00:00.123Z';
  const [said] = await say(alex, {
    channel: 'voice',
    turns: [{ text: 'Hello.', speaker: 'Al "A" \\', occurredAt, idempotencyKey: 'k 1' }],
  });
  expect(said).toBeDefined();
  await world.settle();
  const prisma = world.ctx.db.prisma('alex');
  const where = { userId: 'alex' };
  const threads = await prisma.thread.findMany({
    where,
    include: { turns: { take: 100 }, episodes: { take: 100 }, links: { take: 100 } },
  });
  const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;
  const [turns, episodes, links] = await Promise.all([
    prisma.turn.findMany({ where }),
    prisma.episode.findMany({ where: { ...where, threadId: { not: null } } }),
    prisma.link.findMany({ where }),
  ]);
  expect(threads.flatMap((thread) => thread.turns).sort(byId)).toEqual(turns.sort(byId));
  expect(threads.flatMap((thread) => thread.episodes).sort(byId)).toEqual(episodes.sort(byId));
  expect(threads.flatMap((thread) => thread.links).sort(byId)).toEqual(links.sort(byId));
  expect(turns.some(({ keyHash }) => keyHash !== null)).toBe(true);
});

type Edges<Node> = { edges: { node: Node }[] };

/** Reads a page of the inner list of each entry of the outer one. Returns the ids, and how much the database answered. */
async function read(outer: string, inner: string, page: string) {
  using query = vi.spyOn(pg.Client.prototype, 'query');
  const list = `${inner}(${page}) { edges { node { id } } }`;
  const { body } = await alex.post({
    query: `{ viewer { list: ${outer}(first: 50) { edges { node { list: ${list} } } } } }`,
  });
  expect(body.errors).toBeUndefined();
  const { viewer } = body.data as { viewer: { list: Edges<{ list: Edges<{ id: string }> }> } };
  const answers = await Promise.all(query.mock.results.map(({ value }) => value));
  return {
    lists: viewer.list.edges.map(({ node }) => node.list.edges.map((edge) => edge.node.id)),
    bytes: JSON.stringify(answers.map((answer) => answer.rows)).length,
  };
}
