import { expect, it } from 'vitest';
import { createLanguage } from '../../src/language-threads/language.ts';
import {
  createLanguageThread,
  type LanguageThread,
} from '../../src/language-threads/language-thread.ts';
import type { LanguageThreads } from '../../src/language-threads/language-threads.ts';
import { ruleFunctions } from '../../src/language-threads/rule-functions.ts';
import { TaskStopped } from '../../src/language-threads/time-limit.ts';
import { createExtractiveReasoner } from '../../src/reasoner/extractive/extractive.ts';
import type { Utterance } from '../../src/reasoner/reasoner.ts';

const CALL = { userId: 'maya' };
const turn = (id: number, text: string, role: Utterance['role'] = 'USER') => ({
  id,
  role,
  text,
  speaker: null,
  occurredAt: new Date(id * 60_000),
});

const asked: string[] = [];
const limits: [method: string, computing: number][] = [];
const places: (boolean | undefined)[] = [];
/** Threads that are stopped by every text with the word "slow". */
const STOPPED_BY_SLOW: LanguageThread = {
  async run(method, input, { limit, isBulk }) {
    limits.push([method, Math.round(limit.computing)]);
    places.push(isBulk);
    const text = JSON.stringify(input);
    asked.push(`${method} ${text.match(/slow|…/g)?.join(' ') ?? 'all'}`);
    if (text.includes('slow')) throw new TaskStopped('too slow');
    const functions = { ...createExtractiveReasoner({ embedder: null }), ...ruleFunctions };
    return (functions[method] as (...of: unknown[]) => unknown)(input, CALL);
  },
  warm: async () => {},
  readSamples: async () => {},
  isReady: () => true,
  isRunning: () => true,
  [Symbol.asyncDispose]: async () => {},
};
/** A thread that starts again, and needs 60 ms for each text. */
const SLOW: LanguageThread = {
  ...STOPPED_BY_SLOW,
  run: async (...task) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return STOPPED_BY_SLOW.run(...task);
  },
  isReady: () => false,
  isRunning: () => false,
};
const threads: LanguageThreads = {
  requests: STOPPED_BY_SLOW,
  facts: STOPPED_BY_SLOW,
  steps: STOPPED_BY_SLOW,
  requestWithin: 60_000,
  datedWithin: 60_000,
  warm: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

it('a turn that cannot be read in time is reported once and skipped, and the other turns are read', async () => {
  const named: [userId: string, turnId: number, method: string][] = [];
  const { reasoner } = createLanguage(threads, async (...noted) => void named.push(noted));
  const turns = [turn(1, 'My name is Maya.'), turn(2, 'a slow one'), turn(3, 'I live in Porto.')];
  asked.length = 0;
  const { facts } = await reasoner.extractFacts({ turns }, CALL);
  expect(facts.map(({ key, value }) => [key, value])).toEqual([
    ['profile:name', 'Maya'],
    ['profile:city', 'Porto'],
  ]);
  expect(named).toEqual([['maya', 2, 'extractFacts']]);
  // All together; the longest by itself, the next one by itself; then without it.
  expect(asked).toEqual([
    'extractFacts slow',
    'extractFacts … …',
    'extractFacts … …',
    'extractFacts … slow …',
    'extractFacts …',
  ]);
});

it('two turns that cannot be read in time are both reported', async () => {
  const named: number[] = [];
  const { reasoner } = createLanguage(threads, async (_userId, turnId) => void named.push(turnId));
  const turns = [turn(1, 'slow and slow'), turn(2, 'slow'), turn(3, 'I live in Porto.')];
  const { facts } = await reasoner.extractFacts({ turns }, CALL);
  expect([named, facts.length]).toEqual([[1, 2], 1]);
});

it('a turn that is marked as unread is not read again', async () => {
  const { reasoner } = createLanguage(threads);
  const turns = [{ ...turn(1, 'slow'), unreadByRules: true }, turn(2, 'I live in Porto.')];
  const { facts } = await reasoner.extractFacts({ turns }, CALL);
  expect(facts.map(({ key }) => key)).toEqual(['profile:city']);
});

it('a request continues without the parts that cannot be read in time', async () => {
  const { rules } = createLanguage(threads);
  expect(await rules.readTurns([turn(1, 'My name is slow Al.')], CALL)).toEqual([
    { words: 5, cues: null, facts: [] },
  ]);
  expect(await rules.readQuestion('What is my slow name?', CALL)).toMatchObject({
    keys: [],
    ranking: { terms: ['what', 'is', 'my', 'slow', 'name'] },
  });
  expect(await rules.readQuestion('What is my name?', CALL)).toMatchObject({
    keys: ['profile:name', 'profile:full_name', 'profile:nickname'],
  });
});

it('a large call extracts no facts in the hot path, and only the beginning of a long text is read', async () => {
  const { rules } = createLanguage(threads);
  const many = Array.from({ length: 21 }, (_, id) => turn(id, 'My name is Maya.'));
  expect(await rules.readTurns(many, CALL)).toEqual(
    Array(21).fill({ words: 4, cues: 0, facts: [] }),
  );
  const [read] = await rules.readTurns([turn(1, 'word '.repeat(30_000))], CALL);
  expect(read?.words).toBe(20_000);
});

it.each([
  ['busy', { run: () => new Promise<never>(() => {}), isReady: () => true, isRunning: () => true }],
  [
    'starting again',
    { run: () => Promise.reject(new Error('asked')), isReady: () => false, isRunning: () => false },
  ],
])('a request does not wait for a thread that is %s', async (_what, given) => {
  const requests = { ...STOPPED_BY_SLOW, ...given };
  const { rules } = createLanguage({ ...threads, requests, requestWithin: 20 });
  expect(await rules.readTurns([turn(1, 'My name is Al.')], CALL)).toEqual([
    { words: 4, cues: null, facts: [] },
  ]);
  expect(await rules.readQuestion('What is my name?', CALL)).toMatchObject({ keys: [] });
});

it('a question that may name a time waits longer for its thread, but not without end', async () => {
  const { rules } = createLanguage({ ...threads, requests: SLOW, requestWithin: 20 });
  const dated = { text: 'Was it sunny yesterday?', now: new Date('2026-03-02'), timeZone: 'UTC' };
  expect(await rules.readQuestion(dated.text, CALL)).toMatchObject({ mayNameTime: true });
  expect(await rules.timeRange(dated, CALL)).toMatchObject({ phrase: 'yesterday' });
  expect(await rules.readQuestion('What is my name?', CALL)).toMatchObject({ keys: [] });
  const hurried = createLanguage({ ...threads, requests: SLOW, datedWithin: 20 });
  expect(await hurried.rules.readQuestion(dated.text, CALL)).toMatchObject({ mayNameTime: false });
  expect(await hurried.rules.timeRange(dated, CALL)).toBeNull();
});

it('a request waits longer for a thread that starts after a rest', async () => {
  const read = [{ words: 4, cues: 1, facts: [] }];
  const run = () => new Promise((resolve) => setTimeout(resolve, 60, read));
  const requests = { ...STOPPED_BY_SLOW, run, isRunning: () => false };
  const { rules } = createLanguage({ ...threads, requests, requestWithin: 20 });
  expect(await rules.readTurns([turn(1, 'My name is Al.')], CALL)).toEqual(read);
});

it('a text may take 50 ms in a request, and a turn 2 s in the background, at most 10 s in all', async () => {
  const { rules, reasoner } = createLanguage(threads);
  const many = Array.from({ length: 9 }, (_, id) => turn(id, 'I live in Porto.'));
  limits.length = 0;
  await rules.readTurns(many.slice(0, 2), CALL);
  // Between two tasks other users get their turn.
  await rules.readTurns(
    [1, 2].map((id) => turn(id, 'x'.repeat(20_000))),
    CALL,
  );
  await rules.readQuestion('Where do I live?', CALL);
  await reasoner.extractFacts({ turns: many.slice(0, 1) }, CALL);
  await reasoner.extractFacts({ turns: many.slice(0, 3), contextTurns: 1 }, CALL);
  await reasoner.extractFacts({ turns: many }, CALL);
  expect(limits).toEqual([
    ['readTurns', 100],
    ['readTurns', 90],
    ['readTurns', 90],
    ['readQuestion', 50],
    ['extractFacts', 2_000],
    ['extractFacts', 4_000],
    ['extractFacts', 10_000],
  ]);
});

it('facts in more than 4,000 characters are read after short tasks of other users', async () => {
  const { reasoner } = createLanguage(threads);
  const long = 'I live in Porto. '.repeat(200);
  places.length = 0;
  await reasoner.extractFacts({ turns: [turn(1, long)] }, CALL);
  await reasoner.extractFacts({ turns: [turn(1, long), turn(2, long)] }, CALL);
  await reasoner.describeSegment({ turns: [turn(1, long), turn(2, long)] }, CALL);
  expect(places).toEqual([false, true, false]);
});

it('threads are cut and compacted after short tasks', async () => {
  const { reasoner, rules } = createLanguage(threads);
  const turns = [turn(1, 'I live in Porto.'), turn(2, 'I moved there for the sea.')];
  places.length = 0;
  await reasoner.findBoundaries({ turns }, CALL);
  await rules.newsIn(turns, CALL);
  await reasoner.compact({ turns }, CALL);
  await reasoner.describeSegment({ turns }, CALL);
  expect(places).toEqual([true, true, true, false]);
});

it('a task that computes too long ends its thread, and the next task gets a new one', async () => {
  await using thread = createLanguageThread({
    embedderOf: () => null,
    niceness: 0,
    readsSamples: false,
    coldTime: 0,
  });
  const run = (length: number, computing: number) => {
    const turns = Array.from({ length }, (_, id) => turn(id, 'I live in Oslo. I like tea.'));
    const limit = { computing, inAll: 600_000 };
    return thread.run('extractFacts', { turns }, { userId: 'maya', limit });
  };
  // Seconds of work on any machine.
  await expect(run(10_000, 1)).rejects.toThrow(TaskStopped);
  expect(thread.isReady()).toBe(false);
  await expect(run(1, 600_000)).resolves.toMatchObject({
    facts: expect.arrayContaining([expect.objectContaining({ value: 'Oslo' })]),
  });
  expect(thread.isReady()).toBe(true);
}, 120_000);
