import { expect, it } from 'vitest';
import { MOST_OVERTAKEN } from '../../src/jobs/overtaken.ts';
import { CLOSE, TAP, talk } from '../support/episodes.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld } from '../support/world.ts';

it('a step that is overtaken again and again counts as failed, so that it backs off and becomes dead', async () => {
  await using world = await createWorld({ EMBEDDER: 'none' });
  const client = await world.user('stuck');
  const turns = talk(TAP, '2026-03-02T08:00:00Z');
  const [turn] = await say(client, { channel: 'web', newThread: {}, turns });
  await client.execute(CLOSE, { threadId: turn?.thread.id ?? '' });
  await world.settle();
  // A segment of turns that do not exist, which no save accepts.
  const { pool } = world.ctx.db;
  await pool.query(`
    UPDATE episodes SET capture = 'PENDING', last_turn = 60 WHERE user_id = 'stuck' AND kind = 'SEGMENT'`);
  await pool.query(
    `INSERT INTO jobs (user_id, step, subject, run_at) VALUES ('stuck', 'capture-segments', 0, $1)`,
    [world.now],
  );
  world.statements.length = 0;
  const attempt = async () => {
    await world.settle();
    world.now = new Date(world.now.getTime() + 200_000);
    const { rows } = await pool.query(
      `SELECT attempts, dead_at IS NOT NULL AS "isDead", last_error AS error FROM jobs WHERE step = 'capture-segments'`,
    );
    return rows[0];
  };
  expect(await attempt()).toMatchObject({
    isDead: false,
    error: expect.stringMatching(/^Overtaken/),
  });
  for (let times = 2; times <= 5; times += 1) await attempt();
  expect(await attempt()).toMatchObject({ attempts: 5, isDead: true });
  expect(world.sent(/^captures-save$/)).toHaveLength(MOST_OVERTAKEN + 5);
});
