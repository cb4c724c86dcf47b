import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';
import { sayFacts } from '../support/facts.ts';
import { say, sayAt } from '../support/samples/conversation.ts';
import { DENTIST, DENTIST_AGAIN, ROUTINE, tellIn } from '../support/samples/conversations.ts';
import { createWorld, type World } from '../support/world.ts';

type Line = { level: number; msg: string; [field: string]: unknown };

let world: World;
const lines: string[] = [];
const logged = () => lines.map((line) => JSON.parse(line) as Line);
const named = (msg: string) => logged().filter((line) => line.msg === msg);

beforeAll(async () => {
  const logger = createLogger('trace', { write: (line) => void lines.push(line) });
  world = await createWorld({}, { logger });
  world.now = new Date('2026-03-20T09:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

it('decisions about facts are logged under their documented names after the commit', async () => {
  const client = await world.user('facts');
  await sayFacts(world, client, '2026-03-02T08:00:00Z', 'My cat Luna is 3 years old.');
  expect(named('memory.create')).toContainEqual(
    expect.objectContaining({
      userId: 'facts',
      fact: expect.any(Number),
      category: 'RELATIONSHIP',
      polarity: 'POSITIVE',
      confidence: expect.any(Number),
      origin: 'EXTRACTIVE',
      turn: 1,
    }),
  );
  expect(named('memory.update')).toEqual([]);
  await sayFacts(world, client, '2026-03-03T08:00:00Z', 'Luna turned 4.');
  expect(named('memory.update')).toMatchObject([
    { userId: 'facts', turn: 2, replaces: [expect.any(Number)] },
  ]);
  expect(named('memory.decide').at(-1)).toMatchObject({
    userId: 'facts',
    recorded: 1,
    superseding: 1,
    reinforced: 0,
    refused: 0,
  });
});

it('callbacks for the commit do not run when the transaction is rolled back', async () => {
  const { ctx } = world;
  const calls: string[] = [];
  const work = ctx.db.asUser('undone', async (tx) => {
    tx.onCommit(() => calls.push('rolled back'));
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  await ctx.db.asUser('done', async (tx) => tx.onCommit(() => calls.push('committed')));
  expect(calls).toEqual(['committed']);
});

it('the search for similar facts is logged, and whether the nearest one is the same', async () => {
  const client = await world.user('near');
  const { reasoner } = world.ctx;
  world.with({
    reasoner: {
      ...reasoner,
      extractFacts: async ({ turns }) => ({
        facts: turns.map(({ text }, turn) => ({
          ...{ action: 'NEW' as const, factId: null, category: 'GOAL' as const, key: null },
          ...{ value: text, statement: text, polarity: 'POSITIVE' as const, scope: null },
          ...{ confidence: 0.8, importance: 0.6, isCorrection: false, turn },
        })),
      }),
      isSameFact: async () => ({ same: true, confidence: 0.9 }),
    },
  });
  const goal = 'The user wants to run a marathon in';
  await sayFacts(world, client, '2026-03-02T08:00:00Z', `${goal} Porto this year.`);
  await sayFacts(world, client, '2026-03-03T08:00:00Z', `${goal} Lisbon next year.`);
  world.restore();
  expect(named('memory.search').at(-1)).toMatchObject({ userId: 'near', candidates: 1, found: 1 });
  expect(named('memory.match')).toMatchObject([
    { userId: 'near', fact: 1, cosine: expect.any(Number), same: true, by: 'reasoner' },
  ]);
});

it('the capture of a segment is logged with its reason and scores, and at debug level with their signals', async () => {
  const client = await world.user('episodes');
  const tell = tellIn(world);
  const created = await tell(client, '2026-03-02T09:00:00Z', DENTIST);
  await tell(client, '2026-03-03T18:00:00Z', DENTIST_AGAIN);
  await tell(client, '2026-03-05T18:00:00Z', ROUTINE);
  expect(created.capture).toBe('CREATED');
  expect(named('episodic.create').at(-1)).toMatchObject({ reason: 'outcome', novelty: 1 });
  expect(named('episodic.merge').at(-1)).toMatchObject({
    reason: 'same theme',
    into: expect.any(Number),
  });
  expect(named('episodic.skip').at(-1)).toMatchObject({ reason: 'routine' });
  expect(named('episodic.decide').at(-1)).toMatchObject({
    status: 'SKIPPED',
    reason: 'routine',
    routineShare: expect.any(Number),
  });
});

it('an error of the database is logged without the values of the row', async () => {
  const client = await world.user('broken');
  const { indexer } = world.ctx;
  world.with({
    indexer: {
      ...indexer,
      // PostgreSQL quotes the row in the detail of such an error.
      terms: async () => {
        await world.ctx.db.pool.query(
          `INSERT INTO api_keys (name, hash, created_at) VALUES ('Marzipan', NULL, now())`,
        );
        return [];
      },
    },
  });
  await sayAt(client, '08:00', 'Marzipan for everybody');
  await world.settle();
  world.restore();
  expect(named('job.failed')).toMatchObject([
    { userId: 'broken', step: 'index-turns', attempts: 1, dead: false, err: { code: '23502' } },
  ]);
});

it('an error whose message quotes a turn is logged with its name and stack only', async () => {
  const client = await world.user('quoting');
  const { indexer } = world.ctx;
  world.with({
    indexer: {
      ...indexer,
      terms: async (texts) => JSON.parse(`{\n    at ${texts[0]}`),
    },
  });
  await sayAt(client, '08:00', 'Marzipan');
  await world.settle();
  world.restore();
  const { err } = named('job.failed').at(-1) as { err?: object };
  expect(err).toEqual({ name: 'SyntaxError', stack: expect.stringMatching(/^ {4}at JSON.parse/) });
});

it('log lines about decisions are short, and no log line at any level contains words of a memory', async () => {
  const client = await world.user('words');
  const turns = [
    {
      role: 'USER' as const,
      speaker: 'Zephyrine',
      text: 'Call me Zephyrine, zephyrine@example.org.',
    },
    { role: 'ASSISTANT' as const, text: 'Shall I book the Quincunx restaurant for Thursday?' },
    { role: 'USER' as const, text: "Yes, let's book it. I am allergic to kumquats." },
    {
      role: 'TOOL' as const,
      text: 'Booked table at Quincunx',
      toolCalls: [{ name: 'book_table', ok: true, result: 'Quincunx, Thursday' }],
    },
  ];
  await say(client, { channel: 'web', newThread: { title: 'Quincunx' }, turns });
  world.now = new Date(world.now.getTime() + 4 * 3_600_000);
  await world.settle();
  expect(logged().filter(({ userId }) => userId === 'words').length).toBeGreaterThan(3);
  const words =
    /zephyrine|quincunx|kumquat|marzipan|luna|dentist|marathon|porto|lisbon|example\.org/i;
  expect(lines.filter((line) => words.test(line))).toEqual([]);
  const decisions = lines.filter((line) => /"msg":"(memory|episodic)\./.test(line));
  expect(Math.max(...decisions.map(({ length }) => length))).toBeLessThan(700);
});
