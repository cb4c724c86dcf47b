import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import {
  InvalidReply,
  InvalidSetting,
  ModelFailed,
  ModelUnavailable,
} from '../../src/domain/core/errors.ts';
import { createFairLine } from '../../src/language-threads/fair-line.ts';
import type { ModelNotice } from '../../src/local-models/model-thread.ts';
import type { Usage } from '../../src/openai/meter.ts';
import type { ObservedCall } from '../../src/openai/observe-call.ts';
import { createLocalComplete, type LocalLanguageModel } from '../../src/reasoner/local/complete.ts';
import {
  type LocalReasonerOptions,
  type LocalReasonerSettings,
  openLocalReasoner,
} from '../../src/reasoner/local/open.ts';
import type { LocalReply, LocalRequest } from '../../src/reasoner/local/worker.ts';
import { startHub } from '../support/models/hub.ts';
import { installPackages } from '../support/models/packages.ts';
import { writeTinyGguf } from '../support/models/tiny-gguf.ts';

let folder: string;
let packages: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-gguf-'));
  packages = await installPackages(folder);
  file = await writeTinyGguf(join(folder, 'tiny.gguf'));
});
afterAll(() => rm(folder, { recursive: true }));

const opened: AsyncDisposable[] = [];
const usage: [string | null, Usage][] = [];
const calls: ObservedCall[] = [];
const notices: Parameters<ModelNotice>[] = [];
beforeEach(() => {
  for (const list of [usage, calls, notices]) list.length = 0;
});
afterEach(async () => {
  for (const model of opened.splice(0)) await model[Symbol.asyncDispose]();
});

const meter = {
  admit: async () => {},
  record: async (userId: string | null, used: Usage) => void usage.push([userId, used]),
};
const observe = (call: ObservedCall) => void calls.push(call);
const open = (
  settings: Partial<LocalReasonerSettings> = {},
  options: Partial<LocalReasonerOptions> = {},
) => {
  const found = openLocalReasoner(
    { model: file, temperature: 0, steps: new Map(), inputTokens: 1_000, ...settings },
    {
      ...{ meter, observe, packages, inLine: createFairLine(), timeout: 60_000 },
      ...{ models: join(folder, 'fetched'), clock: () => new Date() },
      notice: (...notice) => notices.push(notice),
      patience: Number.POSITIVE_INFINITY,
      ...options,
    },
  );
  opened.push(found.model);
  return found;
};
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error) => error);
const ann = { userId: 'ann' };
const BOAT = 'The boat is red.';

describe('a step of a local reasoner', () => {
  it('the reply of a local model has the shape that the step requires, and its tokens are counted', async () => {
    const { reasoner } = open();
    const found = await reasoner.isSameFact({ known: BOAT, candidate: 'The boat is blue.' }, ann);
    expect(found).toEqual({ same: false, confidence: 0 });
    expect(reasoner.modelOf('compact')).toBe('tiny.gguf');
    expect(reasoner.generatedBy).toBe('MODEL');
    const [[userId, used] = []] = usage;
    expect(userId).toBe('ann');
    expect(used).toMatchObject({ step: 'same-fact', model: 'tiny.gguf', calls: 1 });
    expect(used?.promptTokens).toBeGreaterThan(100);
    expect(used?.completionTokens).toBeGreaterThan(10);
    expect(calls).toMatchObject([{ step: 'same-fact', outcome: 'ok' }]);
  });

  it('a local model does not process the task of a step again if the previous request had the same task', async () => {
    const { reasoner } = open();
    for (const candidate of ['The boat is blue.', 'The cat is blue.']) {
      await reasoner.isSameFact({ known: BOAT, candidate }, ann);
    }
    const [first, second] = usage.map(([, used]) => used);
    expect(second?.cachedTokens).toBeGreaterThan((first?.promptTokens ?? 0) / 2);
  });

  it('a step fails when the replies of a local model break its rules twice', async () => {
    const { reasoner } = open();
    const episodes = [{ title: 'A boat', summary: 'A boat was bought.', endedAt: new Date(0) }];
    const error = await failure(reasoner.summarizeEpisodes({ episodes }, ann));
    expect(error).toBeInstanceOf(InvalidReply);
    expect(calls).toHaveLength(2);
  });

  it('a step of a local reasoner ends when its caller aborts, and the next one works', async () => {
    const { reasoner, model } = open();
    await model.loaded();
    const caller = new AbortController();
    const options = { ...ann, signal: caller.signal };
    const work = failure(
      reasoner.isSameFact({ known: BOAT, candidate: 'The boat is blue.' }, options),
    );
    caller.abort(new Error('gone'));
    expect(await work).toMatchObject({ message: 'gone' });
    expect(await reasoner.isSameFact({ known: BOAT, candidate: 'And?' }, ann)).toBeTruthy();
  });
});

describe('a request to a local model', () => {
  const answering = (run: LocalLanguageModel['run']): LocalLanguageModel => ({
    about: { contextTokens: 100 },
    trouble: () => null,
    loaded: async () => ({ contextTokens: 100 }),
    run,
    [Symbol.asyncDispose]: async () => {},
  });
  const ask = (run: LocalLanguageModel['run'], timeout = 60_000) => {
    const services = { meter, observe, inLine: createFairLine(), name: 'tiny', timeout };
    const complete = createLocalComplete(answering(run), services);
    const messages = [{ role: 'user', content: 'Hello' }] as const;
    const request = { step: 'compact', model: 'tiny', temperature: 0, schema: {}, messages };
    return complete(request, ann);
  };
  const reply: LocalReply = {
    ...{ text: '{}', isCut: false },
    ...{ promptTokens: 5, cachedTokens: 0, completionTokens: 2 },
  };

  it('a request that is longer than the context of the model fails with the setting to lower', async () => {
    const error = await failure(ask(async () => ({ ...reply, text: null, promptTokens: 120 })));
    expect(error).toBeInstanceOf(ModelFailed);
    expect(error.message).toMatch(/120 tokens .* reads 100.*REASONER_INPUT_TOKENS/);
    const { model } = open();
    const content = 'word '.repeat(20_000);
    const request: LocalRequest = {
      ...{ messages: [{ role: 'user', content }], schema: { type: 'null' } },
      ...{ temperature: 0, replyTokens: 100 },
    };
    expect(await model.run(request)).toMatchObject({ text: null });
  });

  it('a request whose reply was cut off fails, and its tokens are counted', async () => {
    expect(await failure(ask(async () => ({ ...reply, isCut: true })))).toBeInstanceOf(
      InvalidReply,
    );
    expect(usage).toHaveLength(1);
  });

  it('a request that takes too long is aborted', async () => {
    const hang: LocalLanguageModel['run'] = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const error = await failure(ask(hang, 5));
    expect(error).toBeInstanceOf(ModelFailed);
    expect(error.status).toBe(408);
  });

  it('an error of the model is not quoted, and an unavailable model is reported as such', async () => {
    const fail = (error: Error) => failure(ask(() => Promise.reject(error)));
    const failed = await fail(new Error('cannot tokenize "my secret"'));
    expect(failed).toBeInstanceOf(ModelFailed);
    expect(JSON.stringify([failed.message, failed.cause ?? null])).not.toContain('secret');
    const away = new ModelUnavailable('It is being loaded.', new Date());
    expect(await fail(away)).toBe(away);
  });
});

describe('missing or wrong files and settings are refused', () => {
  const refusal = (...args: Parameters<typeof open>) => {
    try {
      open(...args);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidSetting);
      return (error as Error).message;
    }
    return null;
  };

  it('a missing package is refused with the command to install it and its size', () => {
    const message = refusal({}, { packages: join(tmpdir(), 'mnemograph-no-such-folder') });
    expect(message).toMatch(
      /^REASONER=local needs the package node-llama-cpp.*npm install .*node-llama-cpp" \(about \d+ MB/,
    );
  });

  it('a missing model file is refused, and so is a file that is not GGUF', async () => {
    const missing = join(folder, 'missing.gguf');
    expect(refusal({ model: missing })).toContain('missing.gguf cannot be read (ENOENT)');
    const other = join(folder, 'other.bin');
    await writeFile(other, 'PK');
    expect(refusal({ model: other })).toContain('is no GGUF file');
  });

  it('a file that only begins like a GGUF file is refused when it is loaded', async () => {
    const broken = join(folder, 'broken.gguf');
    await writeFile(broken, `GGUF${'x'.repeat(1_000)}`);
    const { model, reasoner } = open({ model: broken });
    const error = await failure(reasoner.isSameFact({ known: BOAT, candidate: 'And?' }, ann));
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect(error.message).toMatch(
      /^The language model broken.gguf cannot be loaded: .*REASONER_MODEL/s,
    );
    expect(model.trouble()).toEqual({ reason: 'MODEL_FAILED', message: error.message });
    expect(notices.map(([, , event]) => event)).toEqual(['model.failed']);
  });

  it('another model for a single step is refused', () => {
    const settings = { REASONER: 'local', REASONER_MODEL: 'a.gguf' };
    expect(() => loadConfig(settings)).not.toThrow();
    expect(() => loadConfig({ ...settings, REASONER_STEPS: 'compact=@0.2' })).not.toThrow();
    expect(() => loadConfig({ ...settings, REASONER_STEPS: 'compact=b.gguf' })).toThrow(
      'one model does all steps',
    );
    expect(() => loadConfig({ REASONER: 'local' })).toThrow('REASONER_MODEL: say which');
  });
});

it('a model file with a URL is downloaded first, and the download is logged', async () => {
  await using hub = await startHub('some/tiny', folder);
  const { model } = open({ model: `${hub.url}/some/tiny/resolve/main/tiny.gguf` });
  expect(await model.loaded()).toMatchObject({ contextTokens: expect.any(Number) });
  const events = notices.map(([, , event]) => event);
  expect(new Set(events)).toEqual(new Set(['model.fetching', 'model.loaded']));
});
