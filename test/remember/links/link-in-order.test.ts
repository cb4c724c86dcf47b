import { expect, it } from 'vitest';
import { linkThreads } from '../../../src/remember/links/link-threads.ts';
import { indexTurns } from '../../../src/remember/turns/index-turns.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import { talk } from '../../support/episodes.ts';
import { FLAT, linksOf } from '../../support/links.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

/** Stores two related threads of a user. Nothing runs in the background. */
async function storeTwo(world: World, userId: string) {
  const client = await world.user(userId);
  world.now = new Date('2026-03-02T12:00:00Z');
  await say(client, { channel: 'sms', turns: talk(FLAT[0], '2026-03-02T08:00:00Z') });
  await say(client, { channel: 'sms', turns: talk(FLAT[1], '2026-03-02T10:00:00Z') });
  return client;
}

it('a thread is not compared before the thread before it has its summary, unless that is never written', async () => {
  await using world = await createWorld();
  await storeTwo(world, 'in-order');
  await indexTurns(world.ctx, 'in-order');
  await embedTurns(world.ctx, 'in-order');
  // The first thread has none to be compared with.
  expect(await linkThreads(world.ctx, 'in-order')).toBe('again');
  const later = new Date(world.now.getTime() + 60_000);
  expect(await linkThreads(world.ctx, 'in-order')).toEqual(later);
  expect(world.sent(/^link-candidates-find$/)).toHaveLength(1);

  // Nobody will write the summary: its jobs have died.
  await world.ctx.db.pool.query(
    `UPDATE jobs SET dead_at = now() WHERE user_id = 'in-order' AND step = 'segment-thread'`,
  );
  await linkThreads(world.ctx, 'in-order');
  expect(world.sent(/^link-candidates-find$/)).toHaveLength(2);
});

it('the comparison follows the summary', async () => {
  await using world = await createWorld();
  const client = await storeTwo(world, 'after');
  await world.settle();
  expect((await linksOf(client)).links).toMatchObject([{ verdict: 'LINK' }]);
});

it('many open threads that wait for their end do not keep newer ones from being compared', async () => {
  await using world = await createWorld();
  const client = await world.user('many-open');
  world.now = new Date('2026-03-02T09:00:00Z');
  const open = (topic: readonly string[], from: string) =>
    say(client, { channel: 'web', newThread: {}, turns: talk(topic, from) });
  await open(FLAT[0], '2026-03-02T08:00:00Z');
  await world.settle();
  // As many others, which were compared when they had their first turns.
  const { pool } = world.ctx.db;
  await pool.query(`
    INSERT INTO threads SELECT (jsonb_populate_record(t, jsonb_build_object('id', n, 'turn_count', 7, 'linked_turns', 6))).*
    FROM threads t, generate_series(2, 250) n WHERE user_id = 'many-open'`);
  await pool.query(`UPDATE users SET last_thread = 250 WHERE user_id = 'many-open'`);
  await open(FLAT[1], '2026-03-02T08:30:00Z');
  await world.settle();
  const { rows } = await pool.query(
    `SELECT linked_turns > 0 AS "isCompared" FROM threads WHERE user_id = 'many-open' AND id = 251`,
  );
  expect(rows).toEqual([{ isCompared: true }]);
});
