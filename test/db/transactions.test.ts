import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../../src/db/core/database.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

const WHO = { name: 'test-who', text: `SELECT current_setting('mnemograph.user_id', true) AS me` };
const WRONG = { name: 'test-wrong', text: 'SELECT 1 / 0 AS n' };

it('what comes after the end of a transaction is not sent on a connection of others', async () => {
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

it('a transaction in which a statement failed is not told to be kept', async () => {
  const { db } = world.ctx;
  const work = db.asUser('ann', async (tx) => {
    await tx.query(WRONG, []).catch(() => null);
    return 'kept';
  });
  await expect(work).rejects.toThrow('rolled back');
  expect(await db.asUser('ann', (tx) => tx.query(WHO, []))).toEqual([{ me: 'ann' }]);
});
