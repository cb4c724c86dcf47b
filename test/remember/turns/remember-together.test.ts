import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Busy } from '../../../src/domain/core/errors.ts';
import { rememberTogether } from '../../../src/remember/turns/remember-together.ts';
import { REMEMBER, say, turnsOf } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.statements.length = 0;
});

/** Users who have said something at nine. */
async function usersOf(...names: string[]): Promise<Client[]> {
  const clients = await Promise.all(names.map((name) => world.user(name)));
  for (const client of clients) await say(client, turnOf(client, '09:00'));
  world.statements.length = 0;
  return clients;
}

const turnOf = ({ userId }: Client, time: string, more: { idempotencyKey?: string } = {}) => ({
  channel: 'voice',
  turns: [{ text: `${userId} speaks at ${time}.`, occurredAt: `2026-03-02T${time}:00Z`, ...more }],
});

const textsOf = async (client: Client) => (await turnsOf(client)).map(({ text }) => text);
const saves = () => world.sent(/^remember-save/);

it('calls of several users at once share transactions, and each gets its own turns', async () => {
  const names = Array.from({ length: 12 }, (_, number) => `together-${number}`);
  const clients = await usersOf(...names);
  const stored = await Promise.all(clients.map((client) => say(client, turnOf(client, '09:05'))));
  expect(stored.map(([turn]) => turn)).toEqual(
    names.map((name) =>
      expect.objectContaining({ text: `${name} speaks at 09:05.`, number: 2, status: 'STORED' }),
    ),
  );
  expect(saves()).toContain('remember-save-group');
  expect(saves().length).toBeLessThan(names.length);
  for (const client of clients) {
    expect(await textsOf(client)).toEqual([
      `${client.userId} speaks at 09:00.`,
      `${client.userId} speaks at 09:05.`,
    ]);
  }
});

it('what calls stored together is worked off as if each had come alone', async () => {
  const clients = await usersOf('worked-1', 'worked-2', 'worked-3', 'worked-4');
  await Promise.all(clients.map((client) => say(client, turnOf(client, '09:05'))));
  expect(saves()).toContain('remember-save-group');
  await world.settle();
  const { rows } = await world.ctx.db.pool.query(
    `SELECT user_id, count(DISTINCT p.turn_id)::int AS indexed FROM postings p WHERE user_id LIKE 'worked-%' GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual(clients.map(({ userId }) => ({ user_id: userId, indexed: 2 })));
  const { rows: events } = await world.ctx.db.pool.query(
    `SELECT count(*)::int AS told FROM memory_events WHERE user_id LIKE 'worked-%' AND kind = 'TURNS_REMEMBERED' GROUP BY user_id`,
  );
  expect(events).toEqual(clients.map(() => ({ told: 2 })));
});

it('of calls at once, one that is refused does not touch the others', async () => {
  const clients = await usersOf('refused', 'next-1', 'next-2', 'next-3');
  const [refused, ...others] = clients as [Client, ...Client[]];
  await say(refused, turnOf(refused, '09:01', { idempotencyKey: 'one' }));
  const [answer] = await Promise.all([
    refused.execute(REMEMBER, { input: turnOf(refused, '09:02', { idempotencyKey: 'one' }) }),
    ...others.map((client) => say(client, turnOf(client, '09:05'))),
  ]);
  expect(answer.remember.__typename).toBe('IdempotencyConflictError');
  expect(await textsOf(refused)).toHaveLength(2);
  for (const client of others) expect(await textsOf(client)).toHaveLength(2);
});

it('a call with a repeated key, one of a new user, one with a late turn and one with a fact come with others', async () => {
  const clients = await usersOf('repeats', 'late', 'tells', 'plain-1', 'plain-2');
  const [repeats, late, tells, ...plain] = clients as [Client, Client, Client, ...Client[]];
  const fresh = await world.user('new-here');
  const repeated = turnOf(repeats, '09:01', { idempotencyKey: 'one' });
  await say(repeats, repeated);
  const fact = {
    channel: 'voice',
    turns: [{ text: 'My email is ada@example.org.', occurredAt: '2026-03-02T09:05:00Z' }],
  };
  const [[again]] = await Promise.all([
    say(repeats, repeated),
    say(late, turnOf(late, '08:55')),
    say(tells, fact),
    say(fresh, turnOf(fresh, '09:05')),
    ...plain.map((client) => say(client, turnOf(client, '09:05'))),
  ]);
  expect(again?.status).toBe('ALREADY_STORED');
  expect(await textsOf(repeats)).toHaveLength(2);
  expect(await turnsOf(late)).toEqual([
    expect.objectContaining({ text: 'late speaks at 09:00.', number: 2 }),
    expect.objectContaining({ text: 'late speaks at 08:55.', number: 1 }),
  ]);
  expect(await textsOf(tells)).toHaveLength(2);
  expect(await textsOf(fresh)).toHaveLength(1);
  for (const client of plain) expect(await textsOf(client)).toHaveLength(2);
  const { rows } = await world.ctx.db.pool.query(
    `SELECT value FROM facts WHERE user_id = 'tells' AND value = 'ada@example.org'`,
  );
  expect(rows).toHaveLength(1);
});

it('when a shared transaction fails, each call is stored by one of its own', async () => {
  const clients = await usersOf('failed-1', 'failed-2', 'failed-3', 'failed-4');
  const { pool } = world.ctx.db;
  await pool.query(`REVOKE UPDATE ON jobs FROM mnemograph_group`);
  try {
    await Promise.all(clients.map((client) => say(client, turnOf(client, '09:05'))));
  } finally {
    await pool.query(`GRANT UPDATE ON jobs TO mnemograph_group`);
  }
  expect(saves()).toContain('remember-save-group');
  for (const client of clients) expect(await textsOf(client)).toHaveLength(2);
});

it('a group that gets no place in the database takes no calls, and says so', async () => {
  const { ctx } = world;
  const db = { ...ctx.db, asUsers: () => Promise.reject(new Busy(1)) };
  await expect(rememberTogether({ ...ctx, db }, () => [])).rejects.toThrow(Busy);
  await expect(rememberTogether(ctx, () => [])).rejects.toThrow('given up waiting');
  // The place that it had in the database is free again.
  const [client] = await usersOf('afterwards');
  expect(await textsOf(client as Client)).toHaveLength(1);
});
