import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRestatedBy } from '../../src/domain/turns/restated.ts';
import { recorder } from '../support/consolidation.ts';
import { talk } from '../support/episodes.ts';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it('an episode of linked threads is no hit beside the episodes that say the same', async () => {
  const client = await recorder(world, 'linked');
  for (const [channel, day] of [
    ['sms', '2026-03-01'],
    ['whatsapp', '2026-03-02'],
  ] as const) {
    const texts = [`The walrus slept on the ferry, ${day}.`, 'A big walrus?', 'Yes, a walrus.'];
    await say(client, { channel, turns: talk(texts, `${day}T09:00:00Z`) });
    await world.settle();
  }
  const { rows } = await world.ctx.db.pool.query<{ summary: string }>(
    `SELECT summary FROM episodes WHERE user_id = 'linked' AND kind = 'CROSS_THREAD'`,
  );
  expect(rows).toHaveLength(1);
  const input = { query: 'walrus ferry', kinds: ['EPISODE' as const], recallIntent: true };
  const { episodes } = await recallAll(client, { ...input, first: 10 });
  const summaries = episodes.map(({ summary }) => summary);
  for (const [place, summary] of summaries.entries())
    expect(isRestatedBy(summary, summaries.slice(0, place))).toBe(false);
});
