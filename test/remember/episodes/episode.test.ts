import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cosine } from '../../../src/domain/core/vector.ts';
import { CONFIGURE_CAPTURE, memoryOf } from '../../support/episodes.ts';
import { DENTIST, ROOF, tellIn } from '../../support/samples/conversations.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let tell: ReturnType<typeof tellIn>;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-03-20T12:00:00Z');
  tell = tellIn(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe('an episode', () => {
  it("an episode has its day in the user's time zone, as a sentence and as fields; UTC if it is unknown", async () => {
    const newYear = '2027-01-01T04:30:00Z';
    world.now = new Date('2027-02-01T00:00:00Z');
    const there = await world.user('new-york');
    await there.execute(CONFIGURE_CAPTURE, { timeZone: 'America/New_York' });
    expect(await tell(there, newYear, ROOF)).toMatchObject({
      date: '2026-12-31',
      week: 53,
      year: 2026,
      partOfDay: 'NIGHT',
      sentence: expect.stringMatching(/^On 2026-12-31 \(W53, 2026\) we discussed .*\.$/),
    });
    const unknown = await world.user('nowhere');
    expect(await tell(unknown, newYear, ROOF)).toMatchObject({
      date: '2027-01-01',
      week: 53,
      year: 2026,
    });
    world.now = new Date('2026-03-20T12:00:00Z');
  });

  it('an episode has a vector of its title and summary, by the embedder in use', async () => {
    const client = await world.user('vectors');
    await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
    await tell(client, '2026-03-02T09:00:00Z', DENTIST);
    await tell(client, '2026-03-03T09:00:00Z', ROOF);
    const { embedder } = world.ctx;
    const { rows } = await world.ctx.db.pool.query<{ text: string; vector: string; by: string }>(
      `SELECT e.title || '. ' || e.summary AS text, v.embedding::text AS vector, v.embedder AS by
       FROM episodes e LEFT JOIN episode_vectors v USING (user_id) WHERE v.episode_id = e.id AND e.user_id = 'vectors'`,
    );
    expect(rows).toHaveLength(4);
    const vectors = await embedder?.embed(
      rows.map(({ text }) => text),
      { priority: 'batch' },
    );
    for (const [index, { vector, by }] of rows.entries()) {
      expect(by).toBe(embedder?.name);
      const stored = Float32Array.from(JSON.parse(vector) as number[]);
      expect(cosine(stored, vectors?.[index] as Float32Array)).toBeGreaterThan(0.999);
    }
  });

  it('an episode starts with the initial FSRS state, boosted by its surprise', async () => {
    const client = await world.user('stability');
    await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
    await tell(client, '2026-03-02T09:00:00Z', [...ROOF, ...DENTIST]);
    const { segments } = await memoryOf(client);
    expect(segments.length).toBeGreaterThanOrEqual(2);
    expect(segments.map(({ surprise }) => surprise).some((surprise) => (surprise ?? 0) > 0.2)).toBe(
      true,
    );
    for (const { stability, surprise, difficulty } of segments) {
      // What FSRS-6 gives after "good".
      expect(stability).toBeCloseTo(2.3065 * (1 + 0.5 * (surprise ?? 0)), 4);
      expect(difficulty).toBeGreaterThan(1);
    }
  });
});

describe('the settings of capture', () => {
  it("capture settings are the deployment's until the user has own ones; null returns to them", async () => {
    const client = await world.user('settings');
    const usual = {
      everything: false,
      cooldownTurns: 3,
      cooldownMinutes: 10,
      maxPerDay: 5,
      noveltyMin: 0.15,
      mergeWindowHours: 48,
      windowTurns: 40,
    };
    const set = async (capture: object | null) =>
      (await client.execute(CONFIGURE_CAPTURE, { capture })).configureUser;
    expect(await set({ maxPerDay: 9, mergeWindowHours: 72 })).toMatchObject({
      captureSettings: { ...usual, maxPerDay: 9, mergeWindowHours: 72 },
    });
    expect(await set({ mergeWindowHours: null, noveltyMin: 0.5 })).toMatchObject({
      captureSettings: { ...usual, maxPerDay: 9, noveltyMin: 0.5 },
    });
    expect(await set(null)).toMatchObject({ captureSettings: usual });
    expect(await set({ noveltyMin: 1.5, maxPerDay: 0 })).toMatchObject({
      issues: [{ path: 'capture.maxPerDay' }, { path: 'capture.noveltyMin' }],
    });
  });
});
