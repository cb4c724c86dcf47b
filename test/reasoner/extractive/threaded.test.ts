import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { ModelUnavailable } from '../../../src/domain/errors.ts';
import type { Embedder } from '../../../src/embedder/embedder.ts';
import { profileOf } from '../../../src/embedder/profile.ts';
import { createExtractiveReasoner } from '../../../src/reasoner/extractive/extractive.ts';
import { createThreadedReasoner } from '../../../src/reasoner/extractive/threaded.ts';
import { talk } from '../../support/model-reasoner.ts';
import { vectorOf } from '../../support/model-server.ts';

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

let reasoner: ReturnType<typeof createThreadedReasoner>;
afterEach(() => reasoner[Symbol.asyncDispose]());

it('gives what the built-in reasoner gives; its vectors come from the server and are counted by user', async () => {
  reasoner = createThreadedReasoner(working);
  const direct = createExtractiveReasoner({ embedder: working });
  expect(await reasoner.describeSegment({ turns }, CALL)).toEqual(
    await direct.describeSegment({ turns }, CALL),
  );
  expect(await reasoner.compact({ turns }, CALL)).toEqual(await direct.compact({ turns }, CALL));
  expect(asked.every(({ userId }) => userId === 'maya')).toBe(true);
  expect([reasoner.generatedBy, reasoner.modelOf('compact')]).toEqual([
    direct.generatedBy,
    direct.modelOf('compact'),
  ]);
});

it('works without vectors', async () => {
  reasoner = createThreadedReasoner(null);
  expect((await reasoner.describeSegment({ turns }, CALL)).title).toMatch(/\w/);
});

it('a server of vectors that is away is done without', async () => {
  reasoner = createThreadedReasoner(
    embedderOf(() => Promise.reject(new ModelUnavailable('away', new Date(0)))),
  );
  const byWords = createExtractiveReasoner({ embedder: null });
  expect(await reasoner.describeSegment({ turns }, CALL)).toEqual(
    await byWords.describeSegment({ turns }, CALL),
  );
});

it('a server of vectors that does not answer is not waited for until the step is stopped', async () => {
  const slow = embedderOf(
    (_texts, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  reasoner = createThreadedReasoner(slow, 6_000);
  expect((await reasoner.describeSegment({ turns }, CALL)).title).toMatch(/\w/);
});

it("an error's words come without the server's paths", async () => {
  reasoner = createThreadedReasoner(null);
  const error = await reasoner.describeSegment({ turns: [] }, CALL).catch((thrown) => thrown);
  expect(error.name).toBe('ZodError');
  expect(error.message).not.toMatch(/ at |file:/);
  expect(error.stack).toMatch(/ at /);
});

const isRecall = { message: 'What did we say last time?' };
const never = embedderOf(() => new Promise(() => {}));

it('a step whose thread stops fails alone; those that wait have another thread', async () => {
  reasoner = createThreadedReasoner(never);
  const started: Worker[] = [];
  const { ref } = Worker.prototype;
  Worker.prototype.ref = function (this: Worker) {
    started.push(this);
    return ref.call(this);
  };
  try {
    const step = reasoner.describeSegment({ turns }, CALL).catch((thrown) => thrown);
    const waiting = reasoner.detectRecallIntent(isRecall, CALL);
    await expect.poll(() => started.length).toBe(1);
    await started[0]?.terminate();
    expect(String(await step)).toContain('The reasoning thread stopped');
    expect((await waiting).recall).toBe(true);
  } finally {
    Worker.prototype.ref = ref;
  }
});

it('a step that hangs is stopped and fails alone; its time counts from its start', async () => {
  reasoner = createThreadedReasoner(never, 3_000);
  const steps = [
    reasoner.describeSegment({ turns }, CALL),
    reasoner.describeSegment({ turns }, CALL),
    reasoner.detectRecallIntent(isRecall, CALL),
  ].map((step) => step.then(String, String));
  const [first, second, third] = await Promise.all(steps);
  expect([first, second]).toEqual(
    Array(2).fill('Error: The step took longer than 3 s and was stopped.'),
  );
  expect(third).toBe('[object Object]');
});

it('a closed reasoner does nothing more', async () => {
  reasoner = createThreadedReasoner(null);
  await reasoner[Symbol.asyncDispose]();
  await expect(reasoner.detectRecallIntent(isRecall, CALL)).rejects.toThrow('closed');
});
