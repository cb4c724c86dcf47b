import { describe, expect, it } from 'vitest';
import { SHARED_TABLES } from '../../src/db/core/partitions.ts';
import { isOnCitus } from '../support/database/database.ts';
import { openWorldToLookInto } from '../support/database/look-into.ts';
import { say } from '../support/samples/conversation.ts';

describe.runIf(isOnCitus)('on a Citus cluster', () => {
  const { world, rows } = openWorldToLookInto();

  it('every table of users is distributed by user, beside the users', async () => {
    const found = await rows<{ name: string; key: string | null; beside: boolean | null }>(`
      SELECT c.relname AS name, column_to_column_name(c.oid, p.partkey) AS key,
        p.colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass) AS beside
      FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`);
    expect(found.length).toBeGreaterThan(25);
    for (const { name, key, beside } of found) {
      const isShared = SHARED_TABLES.has(name);
      expect([name, key, beside]).toEqual([
        name,
        isShared ? null : 'user_id',
        isShared ? null : true,
      ]);
    }
  });

  it('a statement of a user that would go to several shards is refused', async () => {
    const every = { name: 'test-every-shard', text: 'SELECT count(*) FROM turns' };
    const own = { name: 'test-own-shard', text: 'SELECT count(*) FROM turns WHERE user_id = $1' };
    await expect(world().ctx.db.asUser('ann', (tx) => tx.query(every, []))).rejects.toThrow(
      'multi-task',
    );
    expect(await world().ctx.db.asUser('ann', (tx) => tx.query(own, ['ann']))).toEqual([
      { count: '0' },
    ]);
  });

  it('row-level security holds on the shards: without a user the role of the application sees no row', async () => {
    await say(await world().user('ann'), { channel: 'sms', turns: [{ text: 'Hello.' }] });
    const counted = async (role: string) => {
      const client = await world().ctx.db.pool.connect();
      try {
        await client.query(`SET ROLE ${role}`);
        const { rows: shards } = await client.query<{ success: boolean; result: string }>(
          `SELECT success, result FROM run_command_on_shards('turns', 'SELECT count(*) FROM %s')`,
        );
        expect(shards.filter(({ success }) => !success)).toEqual([]);
        return shards.reduce((sum, { result }) => sum + Number(result), 0);
      } finally {
        await client.query('RESET ROLE');
        client.release();
      }
    };
    const [{ owner } = { owner: '' }] = await rows<{ owner: string }>(
      `SELECT quote_ident(current_user) AS owner`,
    );
    expect([await counted(owner), await counted('mnemograph_app')]).toEqual([1, 0]);
  });
});
