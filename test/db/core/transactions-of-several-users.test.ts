import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GroupTx } from '../../../src/db/core/database.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  for (const name of ['ann', 'bea', 'cleo']) {
    const turns = [{ text: `I am ${name}.`, occurredAt: '2026-03-01T09:00:00Z' }];
    await say(await world.user(name), { channel: 'voice', turns });
  }
});
afterAll(() => world[Symbol.asyncDispose]());

const TEXTS = { name: 'test-texts', text: 'SELECT user_id, text FROM turns ORDER BY user_id' };

const asUsers = <T>(userIds: string[], work: (tx: GroupTx) => Promise<T>) =>
  world.ctx.db.asUsers(() => userIds, work);

it('it sees the rows of its users, and of nobody else', async () => {
  const seen = await asUsers(['cleo', 'ann'], (tx) => tx.query(TEXTS, []));
  expect(seen).toEqual([
    { user_id: 'ann', text: 'I am ann.' },
    { user_id: 'cleo', text: 'I am cleo.' },
  ]);
  expect(await asUsers(["d'Arc, {x}"], (tx) => tx.query(TEXTS, []))).toEqual([]);
});

it('it can neither change nor store rows of other users', async () => {
  const change = {
    name: 'test-change',
    text: `UPDATE users SET erase_epoch = 9 WHERE user_id = 'bea' RETURNING user_id`,
  };
  const insert = {
    name: 'test-insert',
    text: `INSERT INTO jobs (user_id, step) VALUES ('bea', 'x')`,
  };
  expect(await asUsers(['ann'], (tx) => tx.query(change, []))).toEqual([]);
  await expect(asUsers(['ann'], (tx) => tx.query(insert, []))).rejects.toThrow(
    'row-level security',
  );
});

it('it has no access to what such a transaction does not need', async () => {
  for (const table of ['facts', 'episodes', 'postings', 'api_keys']) {
    const read = { name: `test-${table}`, text: `SELECT count(*) FROM ${table}` };
    await expect(asUsers(['ann'], (tx) => tx.query(read, []))).rejects.toThrow('permission denied');
  }
  const erase = { name: 'test-erase', text: 'DELETE FROM turns' };
  await expect(asUsers(['ann'], (tx) => tx.query(erase, []))).rejects.toThrow('permission denied');
});

it('it leaves out users that are not stored', async () => {
  const locked = await asUsers(['ann', 'nobody'], async (tx) => {
    await tx.query(TEXTS, []);
    return tx.locked();
  });
  expect([...locked]).toEqual(['ann']);
});

it('the next transaction on the connection sees the rows of its own user only', async () => {
  await asUsers(['ann', 'bea'], (tx) => tx.query(TEXTS, []));
  const seen = await world.ctx.db.asUser('cleo', (tx) => tx.query(TEXTS, []));
  expect(seen).toEqual([{ user_id: 'cleo', text: 'I am cleo.' }]);
});
