import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { InvalidSetting, ModelUnavailable } from '../../src/domain/core/errors.ts';
import { cosine } from '../../src/domain/core/vector.ts';
import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { profileOf } from '../../src/embedder/core/profile.ts';
import { type LocalEmbeddingSettings, openLocalEmbedder } from '../../src/embedder/local/open.ts';
import type { ModelNotice } from '../../src/local-models/model-thread.ts';
import { startHub } from '../support/models/hub.ts';
import { installPackages } from '../support/models/packages.ts';
import { TINY_DIMENSION, writeTinyModel } from '../support/models/tiny-onnx.ts';

const query = { priority: 'query' } as const;
const batch = { priority: 'batch' } as const;

let folder: string;
let packages: string;
let model: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-models-'));
  packages = await installPackages(folder);
  model = await writeTinyModel(join(folder, 'tiny'));
});
afterAll(() => rm(folder, { recursive: true }));

const opened: Embedder[] = [];
afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder[Symbol.asyncDispose]();
});

let now = new Date('2026-03-02T09:00:00Z');
const notices: Parameters<ModelNotice>[] = [];
const open = (
  settings: Partial<LocalEmbeddingSettings> = {},
  patience = Number.POSITIVE_INFINITY,
) => {
  notices.length = 0;
  const embedder = openLocalEmbedder(
    {
      ...{ model, dtype: 'fp32', profile: null, maxTokens: null, packages },
      ...{ models: join(folder, 'fetched'), hub: 'http://127.0.0.1:9', ...settings },
    },
    {
      clock: () => now,
      notice: (...notice) => notices.push(notice),
      patience,
    },
  );
  opened.push(embedder);
  return embedder;
};
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error) => error);
const embedOne = async (embedder: Embedder, text: string, options: typeof query | typeof batch) =>
  (await embedder.embed([text], options))[0] as Float32Array;

describe('vectors', () => {
  it('vectors have length 1, are in the order of the texts and reflect similarity; an empty text has one too', async () => {
    const embedder = open();
    const texts = ['The cat purrs.', 'a kitten', 'sailing a boat', '', 'a kitten'];
    const vectors = await embedder.embed(texts, batch);
    for (const vector of vectors) {
      expect(vector).toHaveLength(TINY_DIMENSION);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
    }
    const [cat, kitten, boat, , again] = vectors as [Float32Array, ...Float32Array[]];
    expect(cosine(cat, kitten as Float32Array)).toBeGreaterThan(0.9);
    expect(cosine(cat, boat as Float32Array)).toBeLessThan(0.5);
    expect(again).toEqual(kitten);
    expect(again).not.toBe(kitten);
  });

  it('vectors are pooled as the model folder specifies', async () => {
    const first = await writeTinyModel(join(folder, 'first-token'), { pooling: 'cls' });
    const [cat, boat] = await open({ model: first }).embed(['cat', 'boat'], batch);
    // The first token is the same in all texts.
    expect(cat).toEqual(boat);
  });

  it('queries and documents are embedded with the prefixes of the model', async () => {
    await cp(model, join(folder, 'e5-small-v2'), { recursive: true });
    const embedder = open({ model: join(folder, 'e5-small-v2') });
    expect(embedder.profile.prefixes).toEqual({ query: 'query: ', document: 'passage: ' });
    const asQuery = await embedOne(embedder, 'cat', query);
    const asDocument = await embedOne(embedder, 'cat', batch);
    expect(asQuery).not.toEqual(asDocument);
    expect(await embedder.embed(['cat'], { ...query, as: 'document' })).toEqual([asDocument]);
  });

  it('a query is embedded before a batch that has already begun is finished', async () => {
    const embedder = open();
    const order: string[] = [];
    const many = Array.from({ length: 400 }, (_, n) => `boat ${n}`);
    await embedder.identify();
    const all = embedder.embed(many, batch).then(() => order.push('batch'));
    await embedder.embed(['cat'], query).then(() => order.push('query'));
    await all;
    expect(order).toEqual(['query', 'batch']);
  });

  it('embedding stops when the caller aborts, and the next call works', async () => {
    const embedder = open();
    await embedder.identify();
    const caller = new AbortController();
    const work = failure(embedder.embed(['cat'], { ...batch, signal: caller.signal }));
    caller.abort(new Error('gone'));
    expect(await work).toMatchObject({ message: 'gone' });
    expect(await embedder.embed(['cat'], batch)).toHaveLength(1);
  });
});

describe('the name of the embedder', () => {
  const nameOf = async (settings: Partial<LocalEmbeddingSettings>) =>
    (await open(settings).identify()).name;

  it('the name of the embedder depends on its files and prefixes, but not on the path of the folder', async () => {
    const moved = join(folder, 'elsewhere', 'tiny');
    await cp(model, moved, { recursive: true });
    const other = await writeTinyModel(join(folder, 'other', 'tiny'), { scale: 2 });
    const name = await nameOf({});
    expect(name).toMatch(/^local:tiny@8\+[0-9a-f]{8}$/);
    expect(await nameOf({ model: moved })).toBe(name);
    expect(await nameOf({ model: other })).not.toBe(name);
    const profile = { ...profileOf('tiny'), prefixes: { query: 'query: ', document: '' } };
    expect(await nameOf({ profile })).not.toBe(name);
  });
});

describe('wrong settings are refused at once', () => {
  const refusal = (settings: Partial<LocalEmbeddingSettings>) => {
    try {
      open(settings);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidSetting);
      return (error as Error).message;
    }
    return null;
  };

  it('a missing package is refused with the command to install it and its size', () => {
    const message = refusal({ packages: join(tmpdir(), 'mnemograph-no-such-folder') });
    expect(message).toContain('EMBEDDER=local needs the package @huggingface/transformers');
    expect(message).toMatch(/npm install .*@huggingface\/transformers" \(about \d+ MB/);
  });

  it('a missing model folder is refused, and so are missing files in it', async () => {
    expect(refusal({ model: './no/such/folder' })).toContain(
      './no/such/folder is neither a folder nor the name of a model',
    );
    expect(refusal({ model: join(model, 'config.json') })).toContain('name the folder');
    expect(refusal({ dtype: 'q8' })).toMatch(
      /lacks onnx\/model_quantized.onnx.*EMBEDDING_DTYPE=fp32/,
    );
    const bare = join(folder, 'bare');
    await cp(model, bare, { recursive: true });
    await rm(join(bare, 'tokenizer.json'));
    await rm(join(bare, 'onnx'), { recursive: true });
    expect(refusal({ model: bare })).toContain('lacks tokenizer.json, onnx/model.onnx');
  });

  it('a profile of another model is refused', () => {
    expect(refusal({ profile: profileOf('another') })).toContain('was measured for "another"');
  });
});

describe('a model that cannot be loaded', () => {
  it('a model that cannot be loaded is reported with advice, and loaded again after a minute', async () => {
    const broken = await writeTinyModel(join(folder, 'broken'));
    await writeFile(
      join(broken, 'onnx', 'model.onnx'),
      Buffer.from('This is no ONNX file at all.'),
    );
    const embedder = open({ model: broken });
    expect(embedder.loading?.trouble()).toMatchObject({ reason: 'MODEL_LOADING' });
    const error = await failure(embedder.embed(['cat'], batch));
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect(error.message).toMatch(
      /^The embedding model broken cannot be loaded: .*Check EMBEDDING_MODEL/s,
    );
    expect(embedder.loading?.trouble()).toEqual({ reason: 'MODEL_FAILED', message: error.message });
    expect(notices.map(([level, , event]) => [level, event])).toEqual([['error', 'model.failed']]);
    await writeTinyModel(broken);
    expect(await failure(embedder.identify())).toBe(error);
    now = new Date(now.getTime() + 61_000);
    expect(embedder.loading?.trouble()).toMatchObject({ reason: 'MODEL_LOADING' });
    expect(await embedder.embed(['cat'], batch)).toHaveLength(1);
    expect(embedder.loading?.trouble()).toBeNull();
  });

  it('a model whose vectors have another length than its profile says cannot be loaded', async () => {
    const profile = { ...profileOf('tiny'), dimension: 384 };
    const error = await failure(open({ profile }).identify());
    expect(error.message).toContain(
      'its vectors hold 8 numbers, but its profile was measured with vectors of 384',
    );
  });
});

describe('a model on the hub', () => {
  it('a call does not wait endlessly while a model is loading: it fails with the time of the next attempt', async () => {
    await using hub = await startHub('some/tiny', model);
    const release = hub.hold();
    const embedder = open({ model: 'some/tiny@slow', hub: hub.url }, 1);
    const error = await failure(embedder.embed(['cat'], batch));
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect(error.message).toBe('The embedding model some/tiny is being loaded.');
    expect(error.retryAt).toEqual(new Date(now.getTime() + 5_000));
    release();
    await expect.poll(() => embedder.loading?.trouble()).toBeNull();
    expect(await embedder.embed(['cat'], batch)).toHaveLength(1);
  });

  it('a model on the hub is downloaded once and kept, and the download is logged', async () => {
    const names: string[] = [];
    {
      await using hub = await startHub('some/tiny', model);
      const embedder = open({ model: 'some/tiny@v1', hub: hub.url });
      names.push((await embedder.identify()).name);
      expect(embedder.profile.model).toBe('some/tiny');
      expect(hub.asked.join()).toContain('/some/tiny/resolve/v1/onnx/model.onnx');
      expect(notices.map(([, , event]) => event)).toEqual(['model.fetching', 'model.loaded']);
      const [first] = notices;
      expect(first?.[1].progress).toMatch(/^\d+ % of [\d.]+ MB$/);
    }
    names.push((await open({ model: 'some/tiny@v1' }).identify()).name);
    expect(new Set(names).size).toBe(1);
    expect(await failure(open({ model: 'some/tiny@v2' }).identify())).toMatchObject({
      message: expect.stringMatching(/cannot be loaded: .*whether the hub can be reached/s),
    });
  });
});
