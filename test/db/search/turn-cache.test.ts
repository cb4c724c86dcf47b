import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTurnCache } from '../../../src/db/search/turn-cache.ts';
import { indexTurns } from '../../../src/remember/turns/index-turns.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import { FORGET_MEMORY, talk } from '../../support/episodes.ts';
import { recallAll } from '../../support/recall.ts';
import { say, sayAt } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

const QUERIES = [
  'Where did Rita put the red lantern?',
  'When did we paint the boat?',
  'What does Ben say about the harbour of Turku?',
  'lantern',
];
const TALKS = [
  ['Rita hung the red lantern over the door.', 'It was bought in Turku last summer.'],
  ['We painted the boat yesterday, was it worth it?', 'Ben says the harbour was full of boats.'],
  ['The kettle broke again.', 'Shall we mend it on Friday?', 'The lantern broke as well.'],
];

const SOON = { interval: 5, timeout: 60_000 };

let world: World;
let ana: Client;
let users = 0;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-03-02T20:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

/** Somebody whose turns are held. */
beforeEach(async () => {
  users += 1;
  ana = await world.user(`ana-${users}`);
  for (const [day, texts] of TALKS.entries()) {
    const turns = talk(texts, `2026-02-0${day + 1}T09:00:00Z`);
    const said = turns.map((turn, at) => ({ ...turn, speaker: at % 2 ? 'Ben' : 'Ana' }));
    await say(ana, { channel: 'sms', turns: said });
  }
  await world.settle();
  await ask();
  expect(isHeld()).toBe(false);
  await hold();
  expect(await readsAll()).toBe(false);
});

/** The next test would run the steps that are left. */
afterEach(() => world.ctx.db.pool.query('DELETE FROM jobs'));

const isHeld = () => world.ctx.turnCache.holds(ana.userId);

async function hold() {
  await ask();
  await vi.waitUntil(isHeld, SOON);
}

/** Whether a recall finds that what is held holds no more, and reads all turns. */
async function readsAll() {
  world.statements.length = 0;
  await ask();
  return world.sent(/^scan-turns$/).length > 0;
}

const ask = (query = 'lantern') => recallAll(ana, { query, first: 12 });

/** What is held answers as the database does. */
async function expectTheSame() {
  for (const query of QUERIES) {
    const held = await ask(query);
    expect(isHeld()).toBe(true);
    world.ctx.turnCache.drop(ana.userId);
    const read = await ask(query);
    expect(held.turns.length).toBeGreaterThan(0);
    expect(withoutNumbers(held)).toEqual(withoutNumbers(read));
    const [one, other] = [numbersIn(held), numbersIn(read)];
    expect(Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))))).toBeLessThan(
      0.002,
    );
    await hold();
  }
}

const withoutNumbers = (answer: object) =>
  JSON.parse(JSON.stringify(answer), (_, value) => (typeof value === 'number' ? 0 : value));

function numbersIn(answer: object): number[] {
  const found: number[] = [];
  JSON.parse(JSON.stringify(answer), (_, value) => {
    if (typeof value === 'number') found.push(value);
  });
  return found;
}

const embed = async () => {
  for (const step of [indexTurns, embedTurns])
    while ((await step(world.ctx, ana.userId)) === 'again');
};

describe('the turns of a memory that is recalled from', () => {
  it(
    'turns are cached from the second recall on, with the same answers as the database',
    expectTheSame,
  );

  it('a recall from the cache reads only what is new, and whether that still holds', async () => {
    world.statements.length = 0;
    await recallAll(ana, { query: 'lantern', kinds: ['TURN'] });
    expect(world.sent(/^(?:scan|search)-turns(?!-texts)|^turn-changes|^hnsw/)).toEqual([
      'turn-changes-found',
      'turn-changes-state',
    ]);
  });

  it('the cache includes a turn stored a moment ago, before and after it has a vector', async () => {
    await sayAt(ana, '10:00', 'The lantern from Turku fell into the harbour.');
    await indexTurns(world.ctx, ana.userId);
    const { turns } = await ask();
    expect(turns.map(({ turn }) => turn.text).join()).toContain('fell into the harbour');
    await expectTheSame();
    await embed();
    await expectTheSame();
    await world.settle();
    await expectTheSame();
  });

  it('the cache is read again after an out-of-order turn', async () => {
    await sayAt(ana, '2026-02-01T09:00:30Z', 'Careful with the lantern, Rita!');
    await embed();
    expect(await readsAll()).toBe(true);
    await hold();
    await expectTheSame();
  });

  it('the cache counts the bytes it takes, also as it grows', async () => {
    const { turnCache } = world.ctx;
    const others = turnCache.size();
    const turns = talk(
      Array.from({ length: 40 }, (_, n) => `Lantern number ${n}.`),
      '2026-03-01T09:00:00Z',
      1_000,
    );
    await say(ana, { channel: 'log', turns });
    await embed();
    await ask();
    expect(isHeld()).toBe(true);
    expect(turnCache.size() - others).toBeGreaterThan(40 * 4 * 512);
    turnCache.drop(ana.userId);
    expect(turnCache.size()).toBeLessThan(others);
  });

  it('the cache is filled in pieces of turns, however far apart their numbers are', async () => {
    const { db, turnCache } = world.ctx;
    turnCache.drop(ana.userId);
    await db.pool.query(
      'UPDATE users SET last_turn = 2000000000, erase_epoch = 9 WHERE user_id = $1',
      [ana.userId],
    );
    await ask();
    world.statements.length = 0;
    await hold();
    expect(world.sent(/^turn-changes/).length).toBeLessThan(4);
    await expectTheSame();
  });

  it('a recall that finds more new turns than it reads at once lets the rest be read', async () => {
    const turns = talk(
      Array.from({ length: 201 }, (_, n) => `Lantern number ${n} hangs in Turku.`),
      '2026-03-01T09:00:00Z',
      1_000,
    );
    await say(ana, { channel: 'log', turns });
    await embed();
    expect(await readsAll()).toBe(true);
    expect(isHeld()).toBe(true);
    await vi.waitUntil(async () => !(await readsAll()), SOON);
    await expectTheSame();
  });

  it('the cache does not keep a memory that is forgotten while it is read', async () => {
    const { db, config, logger, embedder } = world.ctx;
    for (const isForgotten of [false, true]) {
      const readings: Promise<unknown>[] = [];
      const asUser: typeof db.asUser = (...asked) => {
        const reading = db.asUser(...asked);
        readings.push(reading);
        return reading;
      };
      await using cache = createTurnCache({ ...db, asUser }, config.recall.cache, logger);
      cache.missed(ana.userId, embedder?.name ?? '');
      cache.missed(ana.userId, embedder?.name ?? '');
      if (isForgotten) cache.drop(ana.userId);
      expect(readings).toHaveLength(1);
      await Promise.all(readings);
      await setImmediate();
      expect(cache.holds(ana.userId)).toBe(!isForgotten);
    }
  });

  it('the cache drops a memory on forget', async () => {
    const { id } = await sayAt(ana, '10:00', 'The lantern of the secret bay.');
    await ask();
    expect(isHeld()).toBe(true);
    await ana.execute(FORGET_MEMORY, { input: { turnId: id } });
    expect(isHeld()).toBe(false);
    const { turns } = await ask();
    expect(turns.map(({ turn }) => turn.text).join()).not.toContain('secret');
    await hold();
    await expectTheSame();
  });

  it('the cache is not trusted, and then dropped, when another process forgets', async () => {
    const { db, turnCache } = world.ctx;
    const forget = () =>
      db.pool.query('UPDATE users SET erase_epoch = erase_epoch + 1 WHERE user_id = $1', [
        ana.userId,
      ]);
    await forget();
    expect(await readsAll()).toBe(true);
    await hold();
    turnCache.changed(ana.userId);
    await turnCache.dropForgotten();
    expect(isHeld()).toBe(true);
    await forget();
    turnCache.changed(null);
    await turnCache.dropForgotten();
    expect(isHeld()).toBe(false);
  });

  it('concurrent recalls and writes see the cache whole', async () => {
    const said = Array.from({ length: 8 }, (_, n) =>
      sayAt(ana, `1${n}:00`, `The lantern of bay ${n} is lit.`, { channel: 'log' }),
    );
    await Promise.all([...said, ...QUERIES.map(ask), ...QUERIES.map(ask)]);
    await embed();
    await ask();
    await expectTheSame();
  });
});
