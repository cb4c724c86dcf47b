import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIGURE_CAPTURE, memoryOf } from '../../support/episodes.ts';
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

  /** Has the reasoner tell what it is asked to describe. */
  function watchDescriptions(
    asked: (opening: string) => unknown,
    replaced: Partial<World['ctx']['reasoner']> = {},
  ) {
    const { reasoner } = world.ctx;
    const describeSegment: typeof reasoner.describeSegment = async (input, call) => {
      await asked(input.turns[0]?.text ?? '');
      return reasoner.describeSegment(input, call);
    };
    return world.with({ reasoner: { ...reasoner, ...replaced, describeSegment } });
  }

  it.each([
    ['eight at a time by the built-in rules', {}, {}, 8],
    ['one at a time by a model', { generatedBy: 'MODEL' }, {}, 1],
    ['one at a time without an embedder, as in the last attempt', {}, { embedder: null }, 1],
  ] as const)('are described %s', async (how, reasoner, replaced, most) => {
    const client = await world.user(how);
    let [running, found] = [0, 0];
    using _replaced = world.with(replaced);
    using _watched = watchDescriptions(async () => {
      running += 1;
      found = Math.max(found, running);
      await setImmediate();
      running -= 1;
    }, reasoner);
    for (let day = 1; day <= 10; day += 1) {
      await store(client, `2026-03-${String(day).padStart(2, '0')}T09:00:00Z`, CAR);
    }
    await world.settle();
    expect((await decisionsOf(client)).map(({ capture }) => capture)).not.toContain('PENDING');
    expect(found).toBe(most);
  });

  it('one whose user changes the settings meanwhile is decided by the new ones', async () => {
    const client = await world.user('changing');
    const described: string[] = [];
    using _watched = watchDescriptions(async (opening) => {
      described.push(opening);
      const isFirstTime = described.filter((each) => each === opening).length === 1;
      if (opening === ROUTINE[0]?.[1] && isFirstTime) {
        await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
      }
    });
    await storeAll(client);
    await world.settle();
    const captures = (await decisionsOf(client)).map(({ capture }) => capture);
    expect(captures.at(-1)).toBe('CREATED');
    expect(described.length).toBeGreaterThan(TALKS.length);
  });

  it('one that cannot be described is tried again, and those before it are captured', async () => {
    const client = await world.user('broken');
    let failures = 0;
    using _broken = watchDescriptions((opening) => {
      if (failures === 2 || opening === DENTIST[0]?.[1]) return;
      failures += 1;
      throw new Error('It cannot be described now.');
    });
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
