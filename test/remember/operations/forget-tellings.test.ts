import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consolidateNow } from '../../../src/remember/knowledge/consolidate.ts';
import { synthesizeProfileNow } from '../../../src/remember/knowledge/synthesize-profile.ts';
import { forget } from '../../../src/remember/operations/forget.ts';
import { readGlobalId } from '../../../src/schema/core/global-id.ts';
import { dumpOf, linesWith } from '../../support/database/dump.ts';
import { say } from '../../support/samples/conversation.ts';
import { INVENTED, TELLINGS } from '../../support/samples/tellings.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  world.now = new Date('2026-03-09T09:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

const RUNS = 24;
// biome-ignore lint/style/noProcessEnv: other cases than usual, to look for more
const SEED = Number(process.env.TELLINGS_SEED ?? 1);

const anyCase = fc
  .constantFrom(...Object.keys(TELLINGS))
  .chain((matter) => {
    const ways = TELLINGS[matter]?.map((_, way) => way) ?? [];
    return fc.record({
      matter: fc.constant(matter),
      ways: fc.shuffledSubarray(ways, { minLength: 2, maxLength: 3 }),
      /** Which of the turns is forgotten, and by what. */
      which: fc.nat(2),
      by: fc.constantFrom('turn' as const, 'thread' as const, 'episode' as const),
      /** Whether the background works in between, and makes all that it can before something is forgotten. */
      isSettled: fc.boolean(),
      isTold: fc.boolean(),
    });
  })
  .map((own) => ({ ...own, gone: own.which % own.ways.length }));
type Case = typeof anyCase extends fc.Arbitrary<infer C> ? C : never;

type Said = { id: number; threadId: number };
type Teller = Case & { userId: string; skips: number | null; said: Map<number, Said> };

const keyOf = (id: string) => Number(readGlobalId(id)?.key.at(-1));
const wordOf = (place: number) => INVENTED[place] ?? '';
const textOf = ({ matter, ways }: Case, place: number) =>
  TELLINGS[matter]?.[ways[place] ?? 0]?.(wordOf(place)) ?? '';
/** A time of day that nothing else has, the server's own clock neither: when a turn was said is a word of it. */
const timeOf = (place: number) => `08:1${place}:4${place}.21${place + 1}`;

/** Says one turn, in a thread of its own where threads are forgotten. */
async function tell(teller: Teller, place: number) {
  if (place >= teller.ways.length || place === teller.skips) return;
  const client = await world.user(teller.userId);
  const before = [...teller.said.values()].at(-1)?.threadId;
  const occurredAt = `2026-03-02T${timeOf(place)}Z`;
  const apart = teller.by === 'turn' ? {} : { newThread: {} };
  const [turn] = await say(client, {
    channel: 'sms',
    ...(before === undefined ? { newThread: {} } : apart),
    turns: [{ text: textOf(teller, place), occurredAt }],
  });
  teller.said.set(place, { id: keyOf(turn?.id ?? ''), threadId: keyOf(turn?.thread.id ?? '') });
}

async function forgetOne({ userId, by, gone, said }: Teller) {
  const { id, threadId } = said.get(gone) as Said;
  const { rows } = await world.ctx.db.pool.query<{ id: number }>(
    `SELECT id FROM episodes WHERE user_id = $1 AND thread_id = $2 AND kind = 'PRIMARY'`,
    [userId, threadId],
  );
  const episodeId = rows[0]?.id;
  if (by === 'turn') return forget(world.ctx, userId, { kind: 'turn', id });
  if (by === 'episode' && episodeId !== undefined)
    return forget(world.ctx, userId, { kind: 'episode', id: episodeId });
  return forget(world.ctx, userId, { kind: 'thread', id: threadId });
}

/** What is known of a user, without the numbers that rows have. */
async function knownOf(userId: string) {
  const { rows } = await world.ctx.db.pool.query(
    `SELECT category, key, value, statement, polarity, scope, confidence, importance, mentions, origin, model,
       active_key, valid_from, valid_to, last_verified_at, retracted_at
     FROM facts WHERE user_id = $1 ORDER BY key, valid_from, statement`,
    [userId],
  );
  return rows;
}

it('forgotten turns leave no word, whatever else states the same, and the rest keeps its own words', async () => {
  const cases = fc.sample(anyCase, { numRuns: RUNS, seed: SEED });
  const tellers = cases.map(
    (own, index): Teller => ({
      ...own,
      userId: `teller-${index}-`,
      skips: null,
      said: new Map(),
    }),
  );
  // Those who never said what the others forget.
  const silent = tellers.map(
    (own): Teller => ({
      ...own,
      userId: `silent-${own.userId}`,
      skips: own.gone,
      said: new Map(),
    }),
  );
  const all = [...tellers, ...silent];
  for (const place of [0, 1, 2]) {
    for (const teller of all.filter(({ isSettled }) => isSettled)) await tell(teller, place);
    await world.settle();
  }
  for (const place of [0, 1, 2]) {
    for (const teller of all.filter(({ isSettled }) => !isSettled)) await tell(teller, place);
  }
  for (const { userId } of all.filter((own) => own.isTold && own.isSettled)) {
    await consolidateNow(world.ctx, userId);
    await synthesizeProfileNow(world.ctx, userId).catch(() => 0);
  }
  for (const teller of tellers) await forgetOne(teller);
  const left = async () => {
    const lines = (await dumpOf(world)).split('\n');
    return tellers.flatMap((own) => {
      const { userId, gone, by, isSettled } = own;
      const mine = lines.filter(
        (line) => line.includes(userId) && !line.includes(`silent-${userId}`),
      );
      const words = [wordOf(gone).toLowerCase(), timeOf(gone)];
      const found = words.flatMap((word) => linesWith(mine.join('\n'), word));
      const texts = own.ways.map((_way, place) => textOf(own, place));
      return found.length > 0 ? [{ texts, gone, by, isSettled, found }] : [];
    });
  };
  expect(await left(), 'at once').toEqual([]);
  await world.settle();
  expect(await left(), 'when all is made anew').toEqual([]);
  let known = 0;
  for (const own of tellers) {
    const { userId, gone, by, isSettled } = own;
    known += (await knownOf(userId)).length;
    const told = own.ways.map((_way, place) => textOf(own, place));
    const what = JSON.stringify({ told, gone, by, isSettled });
    expect.soft(await knownOf(userId), what).toEqual(await knownOf(`silent-${userId}`));
  }
  expect(known).toBeGreaterThan(RUNS / 2);
}, 300_000);
