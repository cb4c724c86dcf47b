import { afterAll, beforeAll, expect, it } from 'vitest';
import { say, sayAt } from '../../support/samples/conversation.ts';
import { fullMemory } from '../../support/samples/full-memory.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

type Count = { at: string; kind: string; event: string | null; count: number };

async function activity(client: Client, args: string) {
  const { body } = await client.post({
    query: `{ viewer { activity(${args}) { at kind event count } } }`,
  });
  const { viewer } = (body.data ?? {}) as { viewer?: { activity: Count[] } };
  return { counts: viewer?.activity ?? [], errors: body.errors };
}

let world: World;
let full: { world: World; alex: Client };
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  full = await fullMemory();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await full.world[Symbol.asyncDispose]();
});

it('turns are counted by hour and by day in the time zone of the user, by one statement', async () => {
  const ann = await world.user('ann');
  await ann.post({
    query: 'mutation { configureUser(timeZone: "Asia/Tokyo") { ... on User { id } } }',
  });
  const at = (time: string) => ({ text: 'x', occurredAt: `2026-03-01T${time}Z` });
  const turns = [at('13:59:59'), at('14:59:59'), at('15:00:00'), at('15:59:00')];
  await say(ann, { channel: 'sms', turns });
  await sayAt(await world.user('bob'), '2026-03-01T15:00:00Z', 'not hers');
  const span = 'from: "2026-03-01T00:00:00Z", kinds: [TURN]';
  const turn = (time: string, count: number) => ({ at: time, kind: 'TURN', event: null, count });
  expect((await activity(ann, `${span}, step: HOUR`)).counts).toEqual([
    turn('2026-03-01T13:00:00.000Z', 1),
    turn('2026-03-01T14:00:00.000Z', 1),
    turn('2026-03-01T15:00:00.000Z', 2),
  ]);
  world.statements.length = 0;
  // In Tokyo, the day begins at 15:00 UTC.
  expect((await activity(ann, span)).counts).toEqual([
    turn('2026-02-28T15:00:00.000Z', 2),
    turn('2026-03-01T15:00:00.000Z', 2),
  ]);
  expect(world.sent(/^activity-count$/)).toHaveLength(1);
  const end = await activity(ann, `${span}, to: "2026-03-01T15:00:00Z", step: MONTH`);
  expect(end.counts).toEqual([turn('2026-02-28T15:00:00.000Z', 2)]);
});

it('an empty span, and one of more than 1,000 buckets, are refused', async () => {
  const ann = await world.user('ann');
  const invalid = [{ extensions: { code: 'INVALID_INPUT' } }];
  for (const args of [
    'from: "2026-03-02T09:00:00Z"',
    'from: "2026-03-02T10:00:00Z", to: "2026-03-02T09:00:00Z"',
    'from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z", step: MINUTE',
    'from: "2020-01-01T00:00:00Z"',
  ]) {
    expect((await activity(ann, args)).errors, args).toMatchObject(invalid);
  }
});

it('every kind is counted, and events by their kind', async () => {
  const { counts } = await activity(
    full.alex,
    'from: "1990-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z", step: MONTH',
  );
  const sums = new Map<string, number>();
  for (const { kind, event, count } of counts) {
    expect(event === null).toBe(kind !== 'EVENT');
    const name = event ?? kind;
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  const { rows } = await full.world.ctx.db.pool.query<{ name: string; count: number }>(`
    SELECT 'TURN' AS name, count(*)::int AS count FROM turns WHERE user_id = 'alex'
    UNION ALL SELECT 'THREAD', count(*)::int FROM threads WHERE user_id = 'alex'
    UNION ALL SELECT 'EPISODE', count(*)::int FROM episodes WHERE user_id = 'alex' AND capture = 'CREATED'
    UNION ALL SELECT 'FACT', count(*)::int FROM facts WHERE user_id = 'alex'
    UNION ALL SELECT 'SEMANTIC_MEMORY', count(*)::int FROM semantic_memories WHERE user_id = 'alex'
    UNION ALL SELECT 'LINK', count(*)::int FROM links WHERE user_id = 'alex'
    UNION ALL SELECT 'REVIEW', count(*)::int FROM episode_reviews WHERE user_id = 'alex'
    UNION ALL SELECT kind::text, count(*)::int FROM memory_events WHERE user_id = 'alex' GROUP BY kind`);
  const expected = rows.filter(({ count }) => count > 0);
  expect(expected.length).toBeGreaterThan(10);
  expect(Object.fromEntries(sums)).toEqual(
    Object.fromEntries(expected.map(({ name, count }) => [name, count])),
  );
});
