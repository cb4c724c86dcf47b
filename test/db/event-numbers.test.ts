import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterEach(() => world[Symbol.asyncDispose]());

const REMEMBER = `mutation ($text: String!) {
  remember(input: { channel: "web", newThread: { title: "One" }, turns: [{ text: $text }, { text: "And so on." }] }) {
    ... on RememberPayload { turns { turn { thread { id } } } } ... on Error { message } } }`;
const FORGET = `mutation ($threadId: ID!) { forget(input: { threadId: $threadId }) { __typename } }`;

const LATEST = `{ user(userId: "ann") { events(last: 50) { edges { node { number eventsErased } } } } }`;

it('event numbers have no gaps except for forgotten threads, whatever fails in between', {
  timeout: 120_000,
}, async () => {
  const { ctx } = world;
  const { pool } = ctx.db;
  const ann = await world.user('ann');
  const cut = () =>
    pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE '%in transaction%'`);
  const life = async (index: number) => {
    type Answer = { data?: { remember: { turns?: { turn: { thread: { id: string } } }[] } } };
    const variables = { text: `Turn ${index}.` };
    const { body } = (await ann.post({ query: REMEMBER, variables })) as { body: Answer };
    const threadId = body.data?.remember.turns?.[0]?.turn.thread.id;
    if (!threadId) return;
    if (index % 4 === 0 && !ctx.db.embedded) await cut().catch(() => undefined);
    if (index % 3 === 0) await ann.post({ query: FORGET, variables: { threadId } });
  };
  await Promise.all(Array.from({ length: 24 }, (_, index) => life(index)));
  await world.settle();

  const { rows } = await pool.query<{ number: number; gone: number | null }>(
    `SELECT number, (details->>'events')::int AS gone FROM memory_events WHERE user_id = 'ann' ORDER BY number`,
  );
  const forgotten = rows.reduce((sum, { gone }) => sum + (gone ?? 0), 0);
  expect(forgotten).toBeGreaterThan(0);
  const { rows: users } = await pool.query(
    `SELECT last_event AS last FROM users WHERE user_id = 'ann'`,
  );
  expect(users).toEqual([{ last: rows.length + forgotten }]);
  expect(rows.at(-1)?.number).toBe(rows.length + forgotten);

  const told = await ann.post({ query: LATEST });
  expect(told.body.errors).toBeUndefined();
  type Told = { data: { user: { events: { edges: { node: object }[] } } } };
  const latest = (told.body as unknown as Told).data.user.events.edges.map(({ node }) => node);
  const kept = rows.slice(-latest.length);
  expect(latest).toEqual(kept.map(({ number, gone }) => ({ number, eventsErased: gone ?? 0 })));
});

it('a forget of everything counts all events that it erases', async () => {
  const bob = await world.user('bob');
  await bob.post({ query: REMEMBER, variables: { text: 'The heron is back.' } });
  await world.settle();
  const everything = `mutation { forget(input: { everythingOf: "bob" }) { __typename } }`;
  const { body } = await bob.post({ query: everything });
  expect(body.errors).toBeUndefined();
  const { rows } = await world.ctx.db.pool.query(
    `SELECT number, (details->>'events')::int AS erased FROM memory_events WHERE user_id = 'bob'`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toEqual({ number: rows[0].number, erased: rows[0].number - 1 });
});

it('an event of a user who is not stored fails its transaction', async () => {
  const event = { kind: 'MEMORY_EXPORTED', decision: 'memory.export' } as const;
  const write = world.ctx.memory('nobody').write(async (memory) => memory.record(event), {
    lock: false,
  });
  await expect(write).rejects.toThrow('"number"');
});
