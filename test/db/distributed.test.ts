import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHARED_TABLES } from '../../src/db/core/partitions.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

// biome-ignore lint/style/noProcessEnv: as test/support/database/database.ts reads it
describe.runIf(process.env.TEST_CITUS_URL)('on a Citus cluster', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ EMBEDDER: 'none' });
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await world.ctx.db.pool.query<Row>(sql, values)).rows;

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
    await expect(world.ctx.db.asUser('ann', (tx) => tx.query(every, []))).rejects.toThrow(
      'multi-task',
    );
    expect(await world.ctx.db.asUser('ann', (tx) => tx.query(own, ['ann']))).toEqual([
      { count: '0' },
    ]);
  });

  it('row-level security holds on the shards: without a user the role of the application sees no row', async () => {
    await say(await world.user('ann'), { channel: 'sms', turns: [{ text: 'Hello.' }] });
    const counted = async (role: string) => {
      const client = await world.ctx.db.pool.connect();
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

  it('a user whose shard moves to another node while messages come in loses none', async () => {
    const client = await world.user('mover');
    const [shard] = await rows<{ id: string; host: string; port: number }>(
      `SELECT s.shardid AS id, s.nodename AS host, s.nodeport AS port FROM citus_shards s
       WHERE s.shardid = get_shard_id_for_distribution_column('users', 'mover')`,
    );
    const [other] = await rows<{ host: string; port: number }>(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
       WHERE isactive AND groupid > 0 AND (nodename, nodeport) <> ($1, $2) LIMIT 1`,
      [shard?.host, shard?.port],
    );
    if (!shard || !other) throw new Error('the cluster has fewer than two workers');
    let isMoved = false;
    const values = [shard.id, shard.host, shard.port, other.host, other.port];
    const moving = rows(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5)`, values).finally(
      () => {
        isMoved = true;
      },
    );
    moving.catch(() => undefined);
    const sent: string[] = [];
    for (let after = 0; after < 5; after += isMoved ? 1 : 0) {
      const text = `Message ${sent.length + 1}.`;
      await say(client, { channel: 'sms', turns: [{ text, idempotencyKey: text }] });
      sent.push(text);
    }
    await moving;
    const kept = await rows<{ text: string }>(
      `SELECT text FROM turns WHERE user_id = 'mover' ORDER BY id`,
    );
    expect(kept.map(({ text }) => text)).toEqual(sent);
    await world.settle();
    const [indexed] = await rows<{ turns: number }>(
      `SELECT count(DISTINCT turn_id)::int AS turns FROM postings WHERE user_id = 'mover'`,
    );
    expect(indexed).toEqual({ turns: sent.length });
  }, 120_000);
});
