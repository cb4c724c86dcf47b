import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../../src/db/core/database.ts';
import { ErasedMeanwhile } from '../../src/domain/core/errors.ts';
import { forget } from '../../src/remember/operations/forget.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

const WHO = { name: 'test-who', text: `SELECT current_setting('mnemograph.user_id', true) AS me` };
const WRONG = { name: 'test-wrong', text: 'SELECT 1 / 0 AS n' };

it("a statement after the end of a transaction is not sent on another transaction's connection", async () => {
  const { db } = world.ctx;
  let kept: Tx | undefined;
  await db.asUser('ann', async (tx) => {
    kept = tx;
  });
  await expect(kept?.query(WHO, [])).rejects.toThrow('The transaction is over');
  const failed = db.asUser('ann', async (tx) => {
    kept = tx;
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await expect(kept?.query(WHO, [])).rejects.toThrow('The transaction is over');
});

it('statements are planned for pages in memory, whatever the database is set to', async () => {
  const { db } = world.ctx;
  const cost = {
    name: 'test-cost',
    text: `SELECT current_setting('random_page_cost') AS cost`,
  };
  // The embedded database has one session for all.
  await db.pool.query('SET random_page_cost = 4');
  try {
    expect(await db.asUser('ann', (tx) => tx.query(cost, []))).toEqual([{ cost: '1.1' }]);
  } finally {
    await db.pool.query('RESET random_page_cost');
  }
});

it('a transaction with a failed statement is not reported as committed', async () => {
  const { db } = world.ctx;
  const work = db.asUser('ann', async (tx) => {
    await tx.query(WRONG, []).catch(() => null);
    return 'kept';
  });
  await expect(work).rejects.toThrow('rolled back');
  expect(await db.asUser('ann', (tx) => tx.query(WHO, []))).toEqual([{ me: 'ann' }]);
});

it('the last statement is sent together with the commit', async () => {
  const { ctx, statements } = world;
  await ctx.db.asUser('ann', async (tx) => {
    statements.length = 0;
    const rows = tx.queryAndCommit(WHO, []);
    expect(statements.map(({ name }) => name)).toEqual([WHO.name, 'commit']);
    expect(await rows).toEqual([{ me: 'ann' }]);
    await expect(tx.query(WHO, [])).rejects.toThrow('The transaction is over');
  });
  expect(statements.map(({ name }) => name)).toEqual([WHO.name, 'commit']);
});

it('if the last statement fails, nothing is committed and the reason is given', async () => {
  const { db } = world.ctx;
  let committed = false;
  const work = db.asUser('ann', async (tx) => {
    tx.onCommit(() => {
      committed = true;
    });
    return tx.queryAndCommit(WRONG, []);
  });
  await expect(work).rejects.toThrow('division by zero');
  expect(committed).toBe(false);
  expect(await db.asUser('ann', (tx) => tx.query(WHO, []))).toEqual([{ me: 'ann' }]);
});

it('a transaction that only reads sends its first statement right behind its beginning', async () => {
  const { ctx, statements } = world;
  statements.length = 0;
  const read = ctx.db.asUser('ann', (tx) => tx.query(WHO, []), { readOnly: true });
  await expect.poll(() => statements.length).toBeGreaterThanOrEqual(2);
  expect(statements[0]?.name).toBe('begin-read-only');
  expect(await read).toEqual([{ me: 'ann' }]);
});

it('nothing that was read is returned if the transaction did not begin', async () => {
  const { db } = world.ctx;
  let seen: object[] = [];
  const read = db.asUser(
    "a\0'",
    async (tx) => {
      seen = await tx.query({ name: 'test-one', text: 'SELECT 1 AS n' }, []);
      return seen;
    },
    { readOnly: true },
  );
  await expect(read).rejects.toThrow();
  expect(await db.asUser('ann', (tx) => tx.query(WHO, []), { readOnly: true })).toEqual([
    { me: 'ann' },
  ]);
});

const WRITE = { name: 'test-write', text: 'UPDATE users SET time_zone = NULL WHERE user_id = $1' };

it('the database refuses a write in a unit of work that only reads', async () => {
  const reading = world.ctx.memory('ann').read(({ tx }) => tx.query(WRITE, ['ann']));
  await expect(reading).rejects.toThrow('only reads');
});

it('a result read before a forget is not stored, with or without the lock', async () => {
  const { ctx } = world;
  const epoch = () =>
    ctx.memory('eva').write(async (memory) => (await memory.facts.counters()).epoch);
  const before = await epoch();
  const store = (lock: boolean) =>
    ctx.memory('eva').write(async () => 'stored', { lock, since: before });
  expect([await store(true), await store(false)]).toEqual(['stored', 'stored']);
  await forget(ctx, 'eva', { kind: 'user' });
  await expect(store(true)).rejects.toThrow(ErasedMeanwhile);
  await expect(store(false)).rejects.toThrow(ErasedMeanwhile);
});

it('checking the erase epoch costs no round trip', async () => {
  const { statements, ctx } = world;
  const since = await ctx
    .memory('eva')
    .write(async (memory) => (await memory.facts.counters()).epoch);
  for (const lock of [true, false]) {
    statements.length = 0;
    await ctx.memory('eva').write(async () => undefined, { lock, since });
    expect(statements).toHaveLength(2);
  }
});
