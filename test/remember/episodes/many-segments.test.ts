import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryOf } from '../../support/episodes.ts';
import {
  CAR,
  DENTIST,
  DENTIST_AGAIN,
  ROUTINE,
  store,
} from '../../support/samples/conversations.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-03-20T12:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

const TALKS = [
  ['2026-03-02T09:00:00Z', DENTIST],
  ['2026-03-03T18:00:00Z', DENTIST_AGAIN],
  ['2026-03-05T09:00:00Z', CAR],
  ['2026-03-05T19:00:00Z', ROUTINE],
] as const;

/** Stores the talks. Nothing runs in the background before they are all stored. */
async function storeAll(client: Client) {
  for (const [at, lines] of TALKS) await store(client, at, lines);
}

async function decisionsOf(client: Client) {
  const { segments } = await memoryOf(client);
  const places = new Map(segments.map(({ id }, place) => [id, place]));
  return segments.map(({ capture, captureReason, captureSignals, summary, mergedInto }) => ({
    capture,
    captureReason,
    captureSignals,
    summary,
    mergedInto: mergedInto ? places.get(mergedInto.id) : null,
  }));
}

describe('several segments that wait for their capture', () => {
  it('are decided like those that come one after another', async () => {
    const [one, all] = [await world.user('one-by-one'), await world.user('all-at-once')];
    for (const [at, lines] of TALKS) {
      await store(one, at, lines);
      await world.settle();
    }
    await storeAll(all);
    await world.settle();
    const decided = await decisionsOf(all);
    expect(decided).toEqual(await decisionsOf(one));
    const captures = decided.map(({ capture }) => capture);
    expect(captures).toEqual(expect.arrayContaining(['CREATED', 'MERGED', 'SKIPPED']));
  });

  it.each([
    ['EXTRACTIVE', TALKS.length],
    ['MODEL', 1],
  ] as const)(
    'those of a reasoner of the kind %s are described %d at a time',
    async (generatedBy, atOnce) => {
      const client = await world.user(`described-by-${generatedBy}`);
      const { reasoner } = world.ctx;
      let [running, most] = [0, 0];
      const describeSegment: typeof reasoner.describeSegment = async (input, call) => {
        running += 1;
        most = Math.max(most, running);
        try {
          return await reasoner.describeSegment(input, call);
        } finally {
          running -= 1;
        }
      };
      using _watched = world.with({ reasoner: { ...reasoner, generatedBy, describeSegment } });
      await storeAll(client);
      await world.settle();
      expect(most).toBe(atOnce);
    },
  );

  it('one that cannot be described is tried again, and those before it are captured', async () => {
    const client = await world.user('broken');
    const { reasoner } = world.ctx;
    let failures = 0;
    const describeSegment: typeof reasoner.describeSegment = async (input, call) => {
      if (failures < 2 && input.turns[0]?.text !== DENTIST[0]?.[1]) {
        failures += 1;
        throw new Error('It cannot be described now.');
      }
      return reasoner.describeSegment(input, call);
    };
    using _broken = world.with({ reasoner: { ...reasoner, describeSegment } });
    const captures = async () => (await memoryOf(client)).segments.map(({ capture }) => capture);
    await storeAll(client);
    await world.settle();
    expect(await captures()).toEqual(['CREATED', 'PENDING', 'PENDING', 'PENDING']);
    world.now = new Date(world.now.getTime() + 3_600_000);
    await world.settle();
    expect(failures).toBe(2);
    expect(await captures()).toEqual(['CREATED', 'MERGED', 'CREATED', 'SKIPPED']);
  });
});
