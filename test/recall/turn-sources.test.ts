import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { RecallContext } from '../../src/context.ts';
import type { Hit } from '../../src/recall/assemble.ts';
import { readQuestion } from '../../src/recall/read-question.ts';
import { findHits } from '../../src/recall/recall.ts';
import { prepareSearch } from '../../src/recall/search.ts';
import {
  byIndex,
  inMemory,
  joined,
  scanned,
  type TurnSource,
} from '../../src/recall/turn-sources.ts';
import { indexTurns } from '../../src/remember/turns/index-turns.ts';
import { buildHnsw } from '../../src/remember/vectors/build-hnsw.ts';
import { embedTurns } from '../../src/remember/vectors/embed-turns.ts';
import { wordsEmbedder } from '../support/models/words-embedder.ts';
import { say } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

const embedder = wordsEmbedder(64);
/** Few words, so that many turns are equally good. */
const WORDS = [
  ...['lantern', 'kettle', 'boat', 'harbour', 'violin', 'orchard', 'Rita', 'Ben', 'yesterday'],
  ...['mended', 'painted', 'ok', 'Turku', 'glacier', 'saddle', 'really?'],
];
const SPEAKERS = ['Rita', 'Ben', 'Ada'];
const START = Date.parse('2026-01-05T09:00:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;

const wordsOf = (words: readonly string[]) =>
  fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 })
    .map((chosen) => chosen.join(' '));
const text = wordsOf(WORDS);
/** A query that names a time is filtered by it: the HNSW source is not for that. */
const timeless = wordsOf(WORDS.filter((word) => word !== 'yesterday'));

/** Talk in which a pause of a day begins another thread. */
const talk = fc.array(
  fc.record({
    text: fc.oneof({ weight: 9, arbitrary: text }, fc.constantFrom('OK.', 'Thanks!', '👍')),
    speaker: fc.option(fc.constantFrom(...SPEAKERS)),
    role: fc.constantFrom('USER' as const, 'USER' as const, 'ASSISTANT' as const),
    pause: fc.constantFrom(MINUTE, MINUTE, MINUTE, MINUTE, DAY),
  }),
  { minLength: 1, maxLength: 110, size: 'max' },
);

const asked = (words: typeof text) => ({
  query: fc
    .tuple(fc.constantFrom('', 'When ', 'What did you say about '), words)
    .map(([opening, words]) => opening + words),
  first: fc.integer({ min: 1, max: 25 }),
  kinds: fc.constantFrom(undefined, ['TURN']),
});
const question = fc.record(asked(timeless));

/** A time at which something may have been said: some days and minutes after the beginning. */
const time = fc
  .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 9 }))
  .map(([days, minutes]) => new Date(START + days * DAY + minutes * MINUTE));
const filteredQuestion = fc.record({
  ...asked(text),
  from: fc.option(time, { freq: 2 }),
  to: fc.option(time, { freq: 2 }),
  asOf: fc.option(time, { freq: 2 }),
  channels: fc.option(fc.subarray(['sms', 'voice'], { minLength: 1 }), { freq: 2 }),
  speakers: fc.option(fc.subarray(SPEAKERS, { minLength: 1 }), { freq: 3 }),
});
type Talk = typeof talk extends fc.Arbitrary<infer Turns> ? Turns : never;
type Question = { query: string; first?: number };

let world: World;
beforeAll(async () => {
  world = await createWorld({}, { embedder });
});
afterAll(() => world[Symbol.asyncDispose]());

let users = 0;

/** Somebody who said all this; the last turns have no vectors yet. */
async function remember(said: Talk, { settled }: { settled: boolean }) {
  users += 1;
  const client = await world.user(`user-${users}`);
  let at = START;
  const turns = said.map(({ pause, ...turn }) => {
    at += pause;
    return { ...turn, occurredAt: new Date(at).toISOString() };
  });
  world.now = new Date(at + DAY);
  const late = Math.ceil(turns.length * 0.9);
  for (let from = 0; from < late; from += 250)
    await say(client, { channel: 'sms', turns: turns.slice(from, Math.min(from + 250, late)) });
  if (settled) await world.settle();
  else
    for (const step of [indexTurns, embedTurns]) await repeat(() => step(world.ctx, client.userId));
  if (late < turns.length) await say(client, { channel: 'voice', turns: turns.slice(late) });
  await repeat(() => indexTurns(world.ctx, client.userId));
  return client;
}

async function repeat(step: () => Promise<unknown>) {
  while ((await step()) === 'again');
}

const FUSIONS = ['weighted', 'rrf'] as const;

/** The world with other settings of the recall. */
const withRecall = (settings: Partial<RecallContext['config']['recall']>): RecallContext => {
  const { config } = world.ctx;
  return { ...world.ctx, config: { ...config, recall: { ...config.recall, ...settings } } };
};

async function hold({ userId }: Client) {
  const { turnCache } = world.ctx;
  for (let asked = 0; asked < 2; asked += 1) turnCache.missed(userId, embedder.name ?? '');
  await vi.waitUntil(() => turnCache.holds(userId), { interval: 5, timeout: 20_000 });
}

/** The hits by one source, which must not leave the question to another. */
async function hitsBy(source: TurnSource, ctx: RecallContext, userId: string, input: Question) {
  const alone: TurnSource = async (...asked) => {
    const found = await source(...asked);
    if (!('statistics' in found)) throw new Error('the source does not answer');
    return found;
  };
  const asked = await readQuestion(ctx, userId, { input, threadIds: null, isMessage: false });
  const search = await prepareSearch(ctx, userId, asked);
  const { hits } = await findHits(ctx, userId, { ...search, sources: [alone] });
  return hits.map(({ kind, score, scored: { candidate } }: Hit) => ({
    hit: `${kind} ${candidate.id} ${candidate.number}`,
    score,
  }));
}

type Found = Awaited<ReturnType<typeof hitsBy>>;

function expectTheSame(found: Found, others: Found, what: object) {
  const names = (hits: Found) => hits.map(({ hit }) => hit);
  expect({ ...what, hits: names(others) }).toEqual({ ...what, hits: names(found) });
  for (const [at, { score }] of found.entries()) expect(others[at]?.score).toBeCloseTo(score, 4);
}

it('all sources of turns give the same turns with the same scores, whatever the filter', async () => {
  const asked = fc.array(fc.oneof(question, filteredQuestion), { minLength: 8, maxLength: 8 });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(talk, asked, async (said, questions) => {
      const client = await remember(said, { settled: true });
      await hold(client);
      for (const [one, fusion] of questions.flatMap((one) =>
        FUSIONS.map((by) => [one, by] as const),
      )) {
        const hits = (source: TurnSource) =>
          hitsBy(source, withRecall({ fusion }), client.userId, one);
        const found = await hits(scanned);
        compared += found.length;
        expectTheSame(found, await hits(joined), { one, fusion, by: 'joined' });
        expectTheSame(found, await hits(inMemory), { one, fusion, by: 'held' });
      }
    }),
    { seed: 18, numRuns: 4, endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(100);
}, 600_000);

it('the HNSW source gives the same hits as the other sources', async () => {
  const ctx = withRecall({ hnswFrom: 1 });
  const [said = []] = fc.sample(
    fc.array(talk, { minLength: 18, maxLength: 18 }).map((talks) => talks.flat().slice(0, 600)),
    { seed: 18, numRuns: 1 },
  );
  expect(said.length).toBeGreaterThan(500);
  // The index holds few vectors that are the same.
  const told = said.map((turn, n) => ({ ...turn, text: `${turn.text} ${n}` }));
  const client = await remember(told, { settled: false });
  await repeat(() => embedTurns(ctx, client.userId));
  await repeat(() => buildHnsw(ctx, client.userId));
  await hold(client);
  for (const one of fc.sample(question, { seed: 18, numRuns: 12 })) {
    const found = await hitsBy(
      byIndex(() => true),
      ctx,
      client.userId,
      one,
    );
    for (const source of [joined, scanned, inMemory])
      expectTheSame(found, await hitsBy(source, ctx, client.userId, one), { one });
  }
}, 600_000);
