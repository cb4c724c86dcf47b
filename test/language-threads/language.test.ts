import { afterAll, expect, it, vi } from 'vitest';
import { ModelUnavailable } from '../../src/domain/core/errors.ts';
import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { profileOf } from '../../src/embedder/core/profile.ts';
import { createLanguage } from '../../src/language-threads/language.ts';
import { createLanguageThread } from '../../src/language-threads/language-thread.ts';
import { createLanguageThreads } from '../../src/language-threads/language-threads.ts';
import { createRequestRules } from '../../src/language-threads/request-rules.ts';
import { createExtractiveReasoner } from '../../src/reasoner/extractive/extractive.ts';
import { talk } from '../support/models/model-reasoner.ts';
import { vectorOf } from '../support/models/model-server.ts';
import { sharedThreads } from '../support/shared.ts';

const CALL = { userId: 'maya' };
const turns = talk(
  ['USER', 'The tap in the kitchen drips since Monday, and the plumber comes only on 14 March.'],
  ['ASSISTANT', 'Turn the water off and change the washer, it takes ten minutes.'],
  ['USER', 'I changed the washer and the tap is dry now.'],
);

type Asked = { texts: number; userId: string | null | undefined };
const asked: Asked[] = [];
const embedderOf = (embed: Embedder['embed']): Embedder => ({
  name: 'test',
  dimension: 16,
  profile: profileOf('test'),
  identify: async () => ({ name: 'test', dimension: 16 }),
  embed,
  [Symbol.asyncDispose]: async () => {},
});
const working = embedderOf(async (texts, { userId }) => {
  asked.push({ texts: texts.length, userId });
  return texts.map((text) => Float32Array.from(vectorOf(text, 16)));
});

let embedder = working;
/** Threads take seconds to start: the tests share them. A thread keeps its embedder, which asks that of the test. */
const threads = createLanguageThreads(() => embedderOf((...asked) => embedder.embed(...asked)));
afterAll(() => threads[Symbol.asyncDispose]());

/** The built-in reasoner in threads with these vectors. */
function reasonerWith(its: Embedder) {
  embedder = its;
  return createLanguage(threads).reasoner;
}
/** The same without vectors. */
const reasonerByWords = () => createLanguage(sharedThreads(false)).reasoner;

it('the results are the same as those of the built-in reasoner, and vectors are counted for the user', async () => {
  const reasoner = reasonerWith(working);
  const direct = createExtractiveReasoner({ embedder: working });
  expect(await reasoner.findBoundaries({ turns }, CALL)).toEqual(
    await direct.findBoundaries({ turns }, CALL),
  );
  expect(asked.length).toBeGreaterThan(0);
  expect(await reasoner.compact({ turns }, CALL)).toEqual(await direct.compact({ turns }, CALL));
  expect(asked.every(({ userId }) => userId === 'maya')).toBe(true);
  expect([reasoner.generatedBy, reasoner.modelOf('compact')]).toEqual([
    direct.generatedBy,
    direct.modelOf('compact'),
  ]);
});

it('a segment is described without an embedder', async () => {
  const reasoner = reasonerByWords();
  expect((await reasoner.describeSegment({ turns }, CALL)).title).toMatch(/\w/);
});

it('texts are compared by words when the embedding server is unavailable', async () => {
  const reasoner = reasonerWith(
    embedderOf(() => Promise.reject(new ModelUnavailable('away', new Date(0)))),
  );
  const byWords = createExtractiveReasoner({ embedder: null });
  expect(await reasoner.findBoundaries({ turns }, CALL)).toEqual(
    await byWords.findBoundaries({ turns }, CALL),
  );
});

it('a step continues without vectors when the embedding server does not answer in time', async () => {
  const slow = embedderOf(
    (_texts, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  const reasoner = reasonerWith(slow);
  const after = AbortSignal.timeout.bind(AbortSignal);
  using limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => after(100));
  expect((await reasoner.findBoundaries({ turns }, CALL)).boundaries).toEqual([]);
  expect(limit).toHaveBeenCalled();
});

it('the message of an error contains no paths of the server', async () => {
  const reasoner = reasonerByWords();
  const error = await reasoner.describeSegment({ turns: [] }, CALL).catch((thrown) => thrown);
  expect(error.name).toBe('ZodError');
  expect(error.message).not.toMatch(/ at |file:/);
  expect(error.stack).toMatch(/ at /);
});

const never = embedderOf(() => new Promise(() => {}));

it('a step that exceeds its time limit is stopped without affecting the next one, and its time counts from its start', async () => {
  await using thread = createLanguageThread({
    embedderOf: () => never,
    niceness: 0,
    readsSamples: false,
    coldTime: 0,
  });
  const task = { userId: 'maya', limit: { computing: 60_000, inAll: 300 } };
  const patient = { userId: 'maya', limit: { computing: 60_000, inAll: 60_000 } };
  const steps = [
    thread.run('findBoundaries', { turns }, task),
    thread.run('findBoundaries', { turns }, task),
    thread.run('readQuestion', 'What did we say last time?', patient),
  ].map((step) => step.then(String, String));
  const [first, second, third] = await Promise.all(steps);
  expect([first, second]).toEqual(
    Array(2).fill('TaskStopped: The rules took longer than 300 ms and were stopped.'),
  );
  expect(third).toBe('[object Object]');
});

it('the thread for requests reads its sample texts when it is told to, and answers requests meanwhile', async () => {
  await using own = createLanguageThreads(() => null);
  const samples = own.requests.readSamples();
  const limit = { computing: 60_000, inAll: 60_000 };
  const text = 'What did we say last time?';
  const answered = own.requests.run('readQuestion', text, { userId: 'maya', limit });
  expect(await Promise.race([samples.then(() => 'samples'), answered])).toMatchObject({
    asksForEarlierTalk: true,
  });
  await samples;
});

it('a thread without work ends after a time, and the next task starts another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const [asks, answer] = [createSignal(), createSignal()];
    let starts = 0;
    await using thread = createLanguageThread({
      embedderOf: () => {
        starts += 1;
        return embedderOf(async (texts, options) => {
          asks.give();
          await answer.given;
          return working.embed(texts, options);
        });
      },
      niceness: 0,
      readsSamples: false,
      coldTime: 0,
      endsAfter: 60_000,
    });
    const task = { userId: 'maya', limit: { computing: 60_000, inAll: 600_000 } };
    const ask = () => thread.run('readQuestion', 'What did we say last time?', task);
    const long = thread.run('findBoundaries', { turns }, task);
    await asks.given;
    vi.advanceTimersByTime(200_000);
    answer.give();
    expect(await long).toHaveProperty('boundaries');
    vi.advanceTimersByTime(59_000);
    expect(await ask()).toMatchObject({ asksForEarlierTalk: true });
    expect(starts).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(thread.isReady()).toBe(true);
    expect(await ask()).toMatchObject({ asksForEarlierTalk: true });
    expect(starts).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

it('after a rest, all requests wait for the thread to start', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let starts = 0;
    const embedderOf = () => {
      starts += 1;
      return null;
    };
    const options = { niceness: 0, readsSamples: true, coldTime: 60_000, endsAfter: 60_000 };
    await using requests = createLanguageThread({ ...options, embedderOf });
    const { readQuestion } = createRequestRules({ ...sharedThreads(false), requests });
    const ask = async () => (await readQuestion('What did we say?', CALL)).asksForEarlierTalk;
    expect(await ask()).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([true, true, true]);
    expect(starts).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

/** Something to wait for. */
function createSignal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

it('closed threads reject further work', async () => {
  const own = createLanguageThreads(() => null);
  const { reasoner } = createLanguage(own);
  await own[Symbol.asyncDispose]();
  await expect(reasoner.describeSegment({ turns }, CALL)).rejects.toThrow('closed');
});

it('a thread that computes is ended when it is closed', async () => {
  const thread = createLanguageThread({
    embedderOf: () => null,
    niceness: 0,
    readsSamples: false,
    coldTime: 0,
  });
  await thread.warm();
  const said = turns[0] as (typeof turns)[number];
  const many = Array.from({ length: 500 }, () => ({
    ...said,
    text: 'I live in Oslo. I like tea.',
  }));
  const task = { userId: 'maya', limit: { computing: 600_000, inAll: 600_000 } };
  const from = process.cpuUsage();
  const running = thread.run('extractFacts', { turns: many }, task).then(String, String);
  await expect.poll(() => process.cpuUsage(from).user, { interval: 5 }).toBeGreaterThan(30_000);
  await thread[Symbol.asyncDispose]();
  expect(await running).toContain('The language thread stopped');
});
