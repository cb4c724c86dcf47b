import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ModelUnavailable } from '../../src/domain/core/errors.ts';
import { EmbedderFailed } from '../../src/embedder/core/embedder.ts';
import type { Meter } from '../../src/openai/meter.ts';
import {
  embedAll,
  fails,
  json,
  KEY,
  NOW,
  openEmbedder,
  vectors,
} from '../support/models/model-embedder.ts';
import {
  type ModelReply,
  type ModelServer,
  refuse,
  startModelServer,
  vectorOf,
} from '../support/models/model-server.ts';

const query = { priority: 'query' } as const;
const batch = { priority: 'batch' } as const;

let server: ModelServer;
let answer: ModelServer['answer'];
beforeAll(async () => {
  server = await startModelServer((...args) => answer(...args));
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.requests.length = 0;
  answer = embedAll();
});

const open = (
  ...options: Parameters<typeof openEmbedder> extends [unknown, ...infer R] ? R : never
) => openEmbedder(server, ...options);
const inputs = () => server.requests.map(({ body }) => body.input);

describe('a server in trouble', () => {
  it('a request is repeated after the time that a 429 names', async () => {
    answer = ({ body }, index) =>
      index === 0
        ? refuse(429, {}, { 'retry-after-ms': '1' })
        : vectors([vectorOf(body.input![0]!, 8)]);
    expect(await open({}, { retryDelay: 60_000 }).embed(['a'], batch)).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  it('a long Retry-After is passed on to the caller', async () => {
    answer = () => refuse(429, {}, { 'retry-after': '120' });
    const error = await fails(open().embed(['a'], batch));
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect((error as ModelUnavailable).retryAt).toEqual(new Date(NOW.getTime() + 120_000));
  });

  // Who has had the request may have failed at it alone: one more tells.
  it.each<[string, ModelReply, number]>([
    ['503s', refuse(503), 3],
    ['silence', { kind: 'hang' }, 3],
    ['silence in the middle', { kind: 'hang-in-body' }, 3],
    ['a cut connection', { kind: 'cut' }, 2],
    ['a connection cut in the middle', { kind: 'cut-in-body' }, 2],
  ])(
    '%s makes the server unavailable, and it gets no requests for a while',
    async (_name, reply, requests) => {
      answer = () => reply;
      const embedder = open({}, { timeout: 100, retries: 1 });
      expect(await fails(embedder.embed(['a'], batch))).toBeInstanceOf(ModelUnavailable);
      expect(await fails(embedder.embed(['b'], batch))).toBeInstanceOf(ModelUnavailable);
      expect(server.requests).toHaveLength(requests);
    },
  );

  it('a wrong key does not count as a failure of the texts, and never appears in an error', async () => {
    answer = () => refuse(401, { message: `Incorrect API key: ${KEY}`, code: KEY });
    const error = await fails(open().embed(['a'], batch));
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect(JSON.stringify([error.message, error.stack, error, error.cause])).not.toContain(KEY);
  });

  it('a text that the server refuses fails by itself', async () => {
    answer = () => refuse(400, { message: 'too long' });
    const error = await fails(open().embed(['a'], batch));
    expect(error).toMatchObject({ name: 'ModelFailed', status: 400 });
    expect(server.requests).toHaveLength(1);
  });
});

it('the server counts as down when it fails at everything, but not when it fails at a single text', async () => {
  answer = () => refuse(500);
  const embedder = open({}, { retries: 1 });
  expect(await fails(embedder.embed(['a'], batch))).toBeInstanceOf(ModelUnavailable);
  const other = open({}, { retries: 1 });
  answer = (request) => (request.body.input?.includes('bad') ? refuse(500) : embedAll()(request));
  const error = await fails(other.embed(['good', 'bad'], batch));
  expect(error).toMatchObject({ code: 'MODEL_FAILED', status: 500 });
  expect(error.message).toContain('EMBEDDING_MAX_TOKENS');
  expect(await other.embed(['good'], batch)).toHaveLength(1);
});

describe('queries', () => {
  it('queries do not wait behind batches', async () => {
    const embedder = open({}, { concurrency: 1 });
    let release = () => {};
    answer = async ({ body }) => {
      if (body.input?.[0] !== 'a query') await new Promise<void>((resolve) => (release = resolve));
      return vectors((body.input ?? []).map((text) => vectorOf(text, 8)));
    };
    const held = [embedder.embed(['one'], batch), embedder.embed(['two'], batch)];
    await expect.poll(inputs).toContainEqual(['one']);
    expect(await embedder.embed(['a query'], query)).toHaveLength(1);
    expect(inputs()).not.toContainEqual(['two']);
    release();
    await held[0];
    await expect.poll(inputs).toContainEqual(['two']);
    release();
    await held[1];
  });

  it('an aborted query is finished in the background, so that the cache has its vector', async () => {
    const embedder = open();
    let release = () => {};
    answer = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return vectors([vectorOf('late', 8)]);
    };
    const deadline = new AbortController();
    const late = embedder.embed(['late'], { ...query, signal: deadline.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    deadline.abort(new Error('too late'));
    await expect(late).rejects.toThrow('too late');
    release();
    await expect.poll(() => embedder.name).toBe('openai:stub@8');
    expect(await embedder.embed(['late'], query)).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  it('a query fails after few attempts when the server fails', async () => {
    answer = () => refuse(503);
    expect(await fails(open({}, { retries: 9 }).embed(['a'], query))).toBeInstanceOf(
      ModelUnavailable,
    );
    // Two tries, and one to see whether it is the text.
    expect(server.requests).toHaveLength(3);
  });
});

it('a batch that is aborted ends at once', async () => {
  answer = () => ({ kind: 'hang' });
  const controller = new AbortController();
  const held = open().embed(['a'], { ...batch, signal: controller.signal });
  await expect.poll(() => server.requests.length).toBe(1);
  controller.abort(new Error('no longer needed'));
  await expect(held).rejects.toThrow('no longer needed');
});

it('a closed embedder rejects running and further calls', async () => {
  answer = () => ({ kind: 'hang' });
  const embedder = open();
  const held = [fails(embedder.embed(['a'], batch)), fails(embedder.embed(['b'], query))];
  await expect.poll(() => server.requests.length).toBe(2);
  await embedder[Symbol.asyncDispose]();
  for (const error of await Promise.all(held)) expect(error).toBeInstanceOf(EmbedderFailed);
  await expect(embedder.embed(['a'], query)).rejects.toThrow(EmbedderFailed);
  await expect(embedder.identify()).rejects.toThrow(EmbedderFailed);
});

it('tokens are counted for the user, and estimated when the server does not count them', async () => {
  const recorded: object[] = [];
  const record: Meter['record'] = async (userId, { promptTokens, step }) => {
    recorded.push({ userId, promptTokens, step });
  };
  answer = () => vectors([vectorOf('a', 8)], 5);
  const embedder = open({ meter: { admit: async () => {}, record } });
  await embedder.embed(['a'], { ...batch, userId: 'ada' });
  answer = () => json({ data: [{ embedding: vectorOf('b', 8) }] });
  await embedder.embed(['twelve chars'], batch);
  expect(recorded).toEqual([
    { userId: 'ada', promptTokens: 5, step: 'embed' },
    { userId: null, promptTokens: 3, step: 'embed' },
  ]);
});

it('batches wait when the token budget of the day is spent, and queries do not', async () => {
  const admit = () => Promise.reject(new ModelUnavailable('spent', NOW));
  const embedder = open({ meter: { admit, record: async () => {} } });
  await expect(embedder.embed(['a'], batch)).rejects.toThrow('spent');
  expect(await embedder.embed(['a'], query)).toHaveLength(1);
});
