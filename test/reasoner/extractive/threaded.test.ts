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

it('a server of vectors that is away is told as such, with the time to come again', async () => {
  const retryAt = new Date('2026-03-02T09:00:05Z');
  reasoner = createThreadedReasoner(
    embedderOf(() => Promise.reject(new ModelUnavailable('away', retryAt))),
  );
  const error = await reasoner.describeSegment({ turns }, CALL).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ModelUnavailable);
  expect(error).toMatchObject({ message: 'away', retryAt });
});

it('a step whose thread stops fails, and the next one has another thread', async () => {
  const never = embedderOf(() => new Promise(() => {}));
  reasoner = createThreadedReasoner(never);
  const started: Worker[] = [];
  const { ref } = Worker.prototype;
  Worker.prototype.ref = function (this: Worker) {
    started.push(this);
    return ref.call(this);
  };
  try {
    const step = reasoner.describeSegment({ turns }, CALL).catch((thrown) => thrown);
    await started[0]?.terminate();
    expect(String(await step)).toContain('The reasoning thread stopped');
  } finally {
    Worker.prototype.ref = ref;
  }
  const plain = await reasoner.detectRecallIntent({ message: 'What did we say last time?' }, CALL);
  expect(plain.recall).toBe(true);
});
