import { describe, expect, it } from 'vitest';
import { isOnCitus } from '../support/database/database.ts';
import { openWorldToLookInto } from '../support/database/look-into.ts';
import { say } from '../support/samples/conversation.ts';
import type { Client } from '../support/world.ts';

/** Where the rows of a user are: the shard of "users", and the worker. */
type Place = { shard: string; host: string; port: number };

const PLACE = `
SELECT shardid AS shard, nodename AS host, nodeport AS port FROM citus_shards
WHERE shardid = get_shard_id_for_distribution_column('users', $1::text)`;
const PLACES = `
SELECT shardid AS shard, nodename AS host, nodeport AS port FROM citus_shards WHERE table_name = 'users'::regclass`;
const WORKERS = `
SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE isactive AND shouldhaveshards ORDER BY nodename, nodeport`;

describe.runIf(isOnCitus)('while shards move between the workers', () => {
  const { world, rows } = openWorldToLookInto();
  const placeOf = async (userId: string) => (await rows<Place>(PLACE, [userId]))[0] as Place;
  const move = (from: Place, to: Omit<Place, 'shard'>, way: 'auto' | 'block_writes' = 'auto') =>
    rows(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5, $6)`, [
      from.shard,
      ...[from.host, from.port, to.host, to.port, way],
    ]);

  /** Messages of these users in turn, until the work is done and each has sent five more; all are kept, and indexed. */
  async function talkDuring(users: readonly string[], work: () => Promise<unknown>) {
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    working.catch(() => undefined);
    const clients: Client[] = [];
    for (const userId of users) clients.push(await world().user(userId));
    const sent: string[] = [];
    for (let after = 0; after < 5; after += isDone ? 1 : 0) {
      const text = `Message ${sent.length + 1}.`;
      for (const client of clients) {
        await say(client, { channel: 'sms', turns: [{ text, idempotencyKey: text }] });
      }
      sent.push(text);
    }
    await working;
    await world().settle();
    for (const userId of users) {
      const kept = await rows<{ text: string }>(
        `SELECT text FROM turns WHERE user_id = $1 ORDER BY id`,
        [userId],
      );
      expect(kept.map(({ text }) => text)).toEqual(sent);
      const [indexed] = await rows<{ turns: number }>(
        `SELECT count(DISTINCT turn_id)::int AS turns FROM postings WHERE user_id = $1`,
        [userId],
      );
      expect(indexed).toEqual({ turns: sent.length });
    }
  }

  /** The name of a user on each shard. */
  async function oneUserAShard(): Promise<string[]> {
    const names = new Map<string, string>();
    const shards = (await rows(PLACES)).length;
    for (let number = 1; names.size < shards; number += 1) {
      const { shard } = await placeOf(`talker-${number}`);
      if (!names.has(shard)) names.set(shard, `talker-${number}`);
    }
    return [...names.values()];
  }

  it('a user whose shard moves to another worker while messages come in loses none', async () => {
    const from = await placeOf('mover');
    const to = (await rows<Place>(WORKERS)).find(
      ({ host, port }) => host !== from.host || port !== from.port,
    );
    if (!to) throw new Error('the cluster has fewer than two workers');
    await talkDuring(['mover'], () => move(from, to));
    expect(await placeOf('mover')).toEqual({ ...from, host: to.host, port: to.port });
  }, 300_000);

  it('no message is lost while the rebalancer gives half of the shards to a worker that has none', async () => {
    const [full, empty] = await rows<Place>(WORKERS);
    if (!full || !empty) throw new Error('the cluster has fewer than two workers');
    const onFull = ({ host, port }: Place) => host === full.host && port === full.port;
    for (const place of await rows<Place>(PLACES)) {
      if (!onFull(place)) await move(place, full, 'block_writes');
    }
    await talkDuring(await oneUserAShard(), async () => {
      const [job] = await rows<{ id: string }>('SELECT citus_rebalance_start() AS id');
      await rows('SELECT citus_job_wait($1)', [job?.id]);
      const states = await rows('SELECT state FROM pg_dist_background_job WHERE job_id = $1', [
        job?.id,
      ]);
      expect(states).toEqual([{ state: 'finished' }]);
    });
    const places = await rows<Place>(PLACES);
    expect(places.filter(onFull)).toHaveLength(places.length / 2);
  }, 600_000);
});
