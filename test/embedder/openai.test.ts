import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ModelFailed } from '../../src/domain/core/errors.ts';
import { asStored } from '../../src/domain/core/vector.ts';
import { profileOf } from '../../src/embedder/core/profile.ts';
import {
  embedAll,
  fails,
  json,
  KEY,
  openEmbedder,
  vectors,
} from '../support/models/model-embedder.ts';
import { type ModelServer, startModelServer, vectorOf } from '../support/models/model-server.ts';
import { processorTimeUntil } from '../support/processor-time.ts';

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

describe('requests to the server', () => {
  it('a request names the model, asks for floats and carries the key', async () => {
    await open().embed(['a'], batch);
    const [asked] = server.requests;
    expect(asked).toMatchObject({ path: '/v1/embeddings' });
    expect(asked?.body).toEqual({ model: 'stub', input: ['a'], encoding_format: 'float' });
    expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('each batch is one request, and each text is sent once', async () => {
    const embedder = open({ batch: 4 });
    const texts = Array.from({ length: 10 }, (_, n) => `text ${n}`);
    const found = await embedder.embed([...texts, 'text 3', 'text 3'], batch);
    expect(inputs()).toEqual([texts.slice(0, 4), texts.slice(4, 8), texts.slice(8)]);
    expect(found).toHaveLength(12);
    expect(found[10]).toEqual(found[3]);
    expect(found[11]).not.toBe(found[10]);
  });

  it('a request holds a limited number of characters', async () => {
    const profile = { ...profileOf('stub'), maxTokens: 1_000_000 };
    const long = ['a', 'b', 'c'].map((letter) => letter.repeat(90_000));
    await open({ profile }).embed(long, batch);
    expect(inputs().map((input) => input?.length)).toEqual([2, 1]);
  });

  it('a text that was embedded before is not sent again', async () => {
    const embedder = open();
    const [first] = await embedder.embed(['once'], batch);
    const expected = first!.slice();
    first!.fill(0);
    expect(await embedder.embed(['once', 'twice'], batch)).toEqual([
      expected,
      asStored(Float32Array.from(vectorOf('twice', 8))),
    ]);
    expect(inputs()).toEqual([['once'], ['twice']]);
  });

  it('a text without a word is sent as a full stop', async () => {
    await open().embed(['', ' \n'], batch);
    expect(inputs()).toEqual([['.']]);
  });

  it('a long text is cut between words to what the model reads, in bounded time', async () => {
    const profile = { ...profileOf('stub'), maxTokens: 50 };
    const texts = ['word '.repeat(500), '語'.repeat(100_000), '<|endoftext|> '.repeat(100)];
    const embedded = open({ profile }).embed(texts, batch);
    expect(await processorTimeUntil(embedded)).toBeLessThan(10_000);
    const [words, signs] = inputs()[0] ?? [];
    expect(words?.trim()).toBe('word '.repeat(50).trim());
    expect(signs?.length).toBeLessThanOrEqual(64);
  });

  it('the dimension is sent when it is set and differs from the default of the model', async () => {
    const shortened = open({ dimensions: 8 });
    expect([shortened.name, shortened.dimension]).toEqual(['openai:stub@8', 8]);
    await shortened.embed(['a'], batch);
    const model = 'text-embedding-3-small';
    const usual = open({ model, dimensions: 1536, profile: profileOf(model) });
    answer = embedAll(1536);
    await usual.embed(['a'], batch);
    expect(server.requests.map(({ body }) => body.dimensions)).toEqual([8, undefined]);
  });

  it('questions and documents get the prefixes of the model', async () => {
    const model = 'intfloat/multilingual-e5-small';
    const embedder = open({ model, dimensions: 8, profile: profileOf(model) });
    await embedder.embed(['a'], query);
    await embedder.embed(['a'], batch);
    await embedder.embed(['a'], { priority: 'batch', as: 'question' });
    expect(inputs()).toEqual([['query: a'], ['passage: a']]);
    // Vectors with other prefixes do not compare.
    expect(embedder.name).toMatch(/^openai:intfloat\/multilingual-e5-small@8\+[0-9a-f]{6}$/);
  });
});

describe('replies of the server', () => {
  it('vectors are normalized and in the order of the texts, whatever the order in the reply', async () => {
    answer = ({ body }) => {
      const data = (body.input ?? []).map((text, index) => ({
        index,
        embedding: vectorOf(text, 8).map((value) => value * 7),
      }));
      return json({ data: data.reverse() });
    };
    const found = await open().embed(['a', 'b', 'c'], batch);
    expect(found.map((vector) => Math.hypot(...vector))).toEqual(
      [1, 1, 1].map((one) => expect.closeTo(one, 3)),
    );
    expect(Array.from(found[1]!)).toEqual(vectorOf('b', 8).map((x) => expect.closeTo(x, 3)));
  });

  it('the dimension is taken from a vector when it is not configured', async () => {
    const embedder = open();
    expect([embedder.name, embedder.dimension]).toEqual([null, null]);
    expect(await embedder.identify()).toEqual({ name: 'openai:stub@8', dimension: 8 });
    await embedder.embed(['a'], query);
    await embedder.identify();
    expect(server.requests).toHaveLength(2);
    expect([embedder.name, embedder.dimension]).toEqual(['openai:stub@8', 8]);
  });

  const unit = vectorOf('x', 8);
  const of = (...embeddings: unknown[]) =>
    json({ data: embeddings.map((embedding, index) => ({ index, embedding })) });
  it.each([
    ['too few vectors', of(unit), 'EMBEDDING_BATCH'],
    ['too many vectors', of(unit, unit, unit), 'EMBEDDING_BATCH'],
    ['no data', json({ object: 'list' }), 'EMBEDDING_BATCH'],
    ['null', json(null), 'EMBEDDING_BATCH'],
    ['two lengths', of(unit, unit.slice(1)), 'hold 7 numbers instead of 8'],
    ['NaN, which JSON writes as null', of(unit, [null, ...unit.slice(1)]), 'not numbers'],
    ['words', of(unit, ['a', ...unit.slice(1)]), 'not numbers'],
    ['an infinite number', of(unit, [1e300, ...unit.slice(1)]), 'not numbers'],
    [
      'a vector of zeros',
      of(
        unit,
        unit.map(() => 0),
      ),
      'zero',
    ],
    ['an empty vector', of(unit, []), 'EMBEDDING_MODEL'],
    ['base64', of(unit, 'AACAPwAAAEA='), 'EMBEDDING_MODEL'],
    [
      'one place twice',
      json({ data: [unit, unit].map((embedding) => ({ index: 0, embedding })) }),
      'numbers its vectors',
    ],
    ['too long a vector', of(unit, new Array(16_001).fill(1)), 'EMBEDDING_DIMENSIONS'],
  ])('%s: the error says what is wrong, and nothing is cached', async (_name, reply, message) => {
    const embedder = open();
    answer = () => reply;
    const error = await fails(embedder.embed(['a', 'b'], batch));
    expect(error).toBeInstanceOf(ModelFailed);
    expect(error.message).toContain(message);
    expect(embedder.name).toBeNull();
    answer = embedAll();
    await embedder.embed(['a', 'b'], batch);
    expect(inputs().at(-1)).toEqual(['a', 'b']);
  });

  it('vectors of another dimension than before, or than configured, are rejected', async () => {
    const embedder = open();
    await embedder.identify();
    answer = () => vectors([vectorOf('a', 9)]);
    const changed = await fails(embedder.embed(['a'], batch));
    expect(changed).toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('restart'),
    });
    const ignored = await fails(open({ dimensions: 4 }).embed(['a'], batch));
    expect(ignored.message).toContain('remove EMBEDDING_DIMENSIONS');
  });
});
