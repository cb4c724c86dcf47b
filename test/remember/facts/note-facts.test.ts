import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORGET_FACT, factsOf, sayFacts, unsure } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  world.now = new Date('2026-03-20T09:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

it('facts found by pattern are stored when the turn is acknowledged, and not extracted twice', async () => {
  const client = await world.user('at-once');
  const text =
    "My name is Alex. My email is alex@acme.example, my phone number is +351 912 345 678, and I don't use Vim.";
  await say(client, { channel: 'sms', turns: [{ text, occurredAt: '2026-03-02T08:00:00Z' }] });
  const noted = await factsOf(client);
  expect(noted.active.toSorted()).toEqual([
    'preference:vim = Vim',
    'profile:email = alex@acme.example',
    'profile:name = Alex',
    'profile:phone = +351 912 345 678',
  ]);
  expect(noted.facts.map(({ origin }) => origin)).toEqual(Array(4).fill('PATTERN'));
  await world.settle();
  const learned = await factsOf(client);
  expect(learned.active).toEqual(noted.active);
  expect(learned.facts.map(({ mentions }) => mentions)).toEqual([1, 1, 1, 1]);
});

it('digits that cannot be a phone number are not a fact', async () => {
  const client = await world.user('no-phone');
  await sayFacts(world, client, '2026-03-02T08:00:00Z', 'My phone number is +351 12.');
  expect((await factsOf(client)).active).toEqual([]);
});

it('50 writers at once about one key end in one active fact, the latest, with all the others on record', {
  retry: 1,
}, async ({ task }) => {
  const client = await world.user(`parallel-${task.result?.retryCount ?? 0}`);
  const said = Array.from({ length: 50 }, (_, index) => ({
    text: `My email is alex${index}@acme.example.`,
    occurredAt: new Date(Date.UTC(2026, 2, 2, 8, (index * 7) % 50)).toISOString(),
  }));
  await Promise.all(said.map((turn) => say(client, { channel: 'sms', turns: [turn] })));
  await world.settle();
  const latest = said.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt)).at(-1);
  const { facts } = await factsOf(client, { key: 'profile:email' });
  expect(facts).toHaveLength(1);
  expect(latest?.text).toContain(facts[0]?.value);
  expect(facts[0]?.history).toHaveLength(50);
  const times = facts[0]?.history ?? [];
  for (const [index, { validTo }] of times.entries()) {
    expect(validTo).toBe(times[index + 1]?.validFrom ?? null);
  }
});

it('a less confident value is refused, and the refusal is on record with its reason', async () => {
  const client = await world.user('refused');
  await say(client, {
    channel: 'sms',
    turns: [{ text: 'My name is Alex.', occurredAt: '2026-03-02T08:00:00Z' }],
  });
  const { rules } = world.ctx;
  world.with({
    rules: {
      ...rules,
      readTurns: async (...asked) => unsure(await rules.readTurns(...asked)),
    },
  });
  await say(client, {
    channel: 'sms',
    turns: [{ text: 'My name is Al.', occurredAt: '2026-03-02T08:01:00Z' }],
  });
  world.restore();
  const { active, refusals, events } = await factsOf(client);
  expect(active).toEqual(['profile:name = Alex']);
  expect(refusals).toEqual([
    {
      key: 'profile:name',
      value: 'Al',
      reason: 'less sure',
      confidence: 0.6,
      turn: { text: 'My name is Al.' },
    },
  ]);
  expect(events).toContain('FACT_REFUSED');
});

it('forgetting a turn erases its facts, and facts that they had superseded are valid again', async () => {
  const client = await world.user('forgotten');
  await sayFacts(world, client, '2026-03-02T08:00:00Z', 'My email is old@acme.example.');
  const [turn] = await say(client, {
    channel: 'sms',
    turns: [{ text: 'My email is new@acme.example.', occurredAt: '2026-03-03T08:00:00Z' }],
  });
  await world.settle();
  expect((await factsOf(client)).active).toEqual(['profile:email = new@acme.example']);
  const { forget } = await client.execute(FORGET_FACT, { input: { turnId: turn?.id ?? '' } });
  expect(forget).toMatchObject({ turns: 1, facts: 1 });
  const { facts, active } = await factsOf(client);
  expect(active).toEqual(['profile:email = old@acme.example']);
  expect(facts[0]).toMatchObject({ active: true, validTo: null });
  const { rows } = await world.ctx.db.pool.query(
    `SELECT count(*)::int AS n FROM facts f WHERE f::text LIKE '%new@acme%'`,
  );
  expect(rows).toEqual([{ n: 0 }]);
  const fact = { factId: facts[0]?.id ?? '' };
  expect((await client.execute(FORGET_FACT, { input: fact })).forget).toMatchObject({ facts: 1 });
  expect((await factsOf(client)).facts).toEqual([]);
});
