import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createEmbedder } from '../../src/embedder/create-embedder.ts';
import { catchUp } from '../../src/jobs/catch-up.ts';
import { graphql } from '../support/generated/gql.ts';
import { startHub } from '../support/models/hub.ts';
import { installPackages } from '../support/models/packages.ts';
import { writeTinyGguf } from '../support/models/tiny-gguf.ts';
import { writeTinyModel } from '../support/models/tiny-onnx.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { sharedThreads } from '../support/shared.ts';

/** How long a busy machine may take to load models. */
const LOADED_WITHIN = { timeout: 90_000 };
vi.setConfig({ testTimeout: 120_000 });
afterAll(() => vi.resetConfig());

let folder: string;
let packages: string;
let model: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-served-'));
  packages = await installPackages(folder);
  model = await writeTinyModel(join(folder, 'tiny'));
});
afterAll(() => rm(folder, { recursive: true }));

const opened: TestServer[] = [];
const start = async (settings: Record<string, string>) => {
  const server = await createTestServer(
    {
      ...{ EMBEDDER: 'local', EMBEDDING_MODEL: model, LOCAL_PACKAGES: packages },
      LOCAL_MODELS: join(folder, 'fetched'),
      ...settings,
    },
    { languageThreads: sharedThreads(false) },
  );
  opened.push(server);
  return server;
};
afterEach(async () => {
  for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
});

const ready = async ({ origin }: TestServer) => {
  const response = await fetch(`${origin}/readyz`);
  return { status: response.status, ...((await response.json()) as object) };
};
const READY = { status: 200, ready: true };

const INDEX = graphql(`
  query LocalVectors {
    viewer {
      vectorIndex {
        embedder
        embedded
        pending
      }
    }
  }
`);

const MEANT = graphql(`
  query Meant($query: String!) {
    recall(input: { query: $query, first: 5, kinds: [TURN] }) {
      ... on RecallPayload {
        vectors
        hits {
          ... on TurnHit {
            turn {
              text
            }
          }
        }
      }
    }
  }
`);

it('turns are found by the vectors of a local model, and embedded again when the model changes', async () => {
  const server = await start({});
  const { world } = server;
  const user = await world.user('ann');
  await expect.poll(() => ready(server), LOADED_WITHIN).toEqual(READY);
  await sayAt(user, '08:00', 'The kitten purrs all day.');
  await sayAt(user, '08:01', 'We were sailing out of the harbour.');
  await world.settle();
  const { recall } = await user.execute(MEANT, { query: 'boat' });
  expect(recall).toMatchObject({ vectors: 'USED' });
  expect(JSON.stringify(recall)).toMatch(/^[^}]*sailing/);
  const before = (await user.execute(INDEX)).viewer?.vectorIndex;
  expect(before).toMatchObject({ embedded: 2, pending: 0 });
  expect(before?.embedder).toMatch(/^local:tiny@8/);

  const EMBEDDING_MODEL = await writeTinyModel(join(folder, 'other'), { scale: 2 });
  const { config, clock } = world.ctx;
  const local = { model: EMBEDDING_MODEL, dtype: 'fp32' } as const;
  const settings = { ...config, embedding: { ...config.embedding, local } };
  const meter = { admit: async () => {}, record: async () => {} };
  const patience = Number.POSITIVE_INFINITY;
  world.with({ embedder: await createEmbedder(settings, { clock, meter, patience }) });
  await world.ctx.embedder?.identify();
  await catchUp(world.ctx);
  await world.settle();
  const { viewer } = await user.execute(INDEX);
  expect(viewer?.vectorIndex).toMatchObject({ embedded: 2, pending: 0 });
  expect(viewer?.vectorIndex?.embedder).toMatch(/^local:other@8/);
  await world.ctx.embedder?.[Symbol.asyncDispose]();
  world.restore();
});

it('the server is not ready until its models are loaded', async () => {
  await using hub = await startHub('some/tiny', model);
  const release = hub.hold();
  const server = await start({ EMBEDDING_MODEL: 'some/tiny', HF_ENDPOINT: hub.url });
  expect(await ready(server)).toEqual({
    ...{ status: 503, ready: false, reason: 'MODEL_LOADING', reads: true },
    message: 'The embedding model some/tiny is being loaded.',
  });
  release();
  await expect.poll(() => ready(server), LOADED_WITHIN).toEqual(READY);
});

it('the server is not ready when a model cannot be loaded, and says why', async () => {
  const REASONER_MODEL = join(folder, 'broken.gguf');
  await writeFile(REASONER_MODEL, `GGUF${'x'.repeat(1_000)}`);
  const server = await start({ EMBEDDER: 'none', REASONER: 'local', REASONER_MODEL });
  await expect
    .poll(() => ready(server), LOADED_WITHIN)
    .toMatchObject({ status: 503, reason: 'MODEL_FAILED', reads: true });
  expect(await ready(server)).toMatchObject({ message: expect.stringContaining('REASONER_MODEL') });
});

it('the server is ready when both the embedding model and the language model are local', async () => {
  const REASONER_MODEL = await writeTinyGguf(join(folder, 'tiny.gguf'));
  const server = await start({ REASONER: 'local', REASONER_MODEL });
  expect(server.world.ctx.reasoner.generatedBy).toBe('MODEL');
  await expect.poll(() => ready(server), LOADED_WITHIN).toEqual(READY);
});
