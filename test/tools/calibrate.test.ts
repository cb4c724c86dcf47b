import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { calibrateEmbedder } from '../../tools/fit/calibrate/calibrate-embedder.ts';
import { tool } from '../support/command.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { embedAll } from '../support/models/model-embedder.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { installPackages } from '../support/models/packages.ts';
import { TINY_DIMENSION, writeTinyModel } from '../support/models/tiny-onnx.ts';
import { printedBy } from '../support/printed.ts';
import { sharedIndexer, sharedThreads } from '../support/shared.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const TALKS = [
  [
    'My cat is ill today',
    'The vet gave the cat some pills',
    'Poor cat, will she eat?',
    'She ate a little fish',
  ],
  [
    'The train was late again',
    'I missed the tram to work',
    'Trains are always late here',
    'Take the bus then',
  ],
];
const line = (first: string[] = [], second: string[] = []) =>
  JSON.stringify({ utterances: [...first, ...second], boundaries: [first.length] });

let folder: string;
let server: ModelServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-calibrate-'));
  server = await startModelServer(embedAll(16));
  const lines = [line(TALKS[0], TALKS[1]), line(TALKS[1], TALKS[0])];
  await writeFile(join(folder, 'talks.jsonl'), lines.join('\n'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('calibrate', () => {
  it('calibrate measures a local model', async () => {
    const env = {
      LOG_LEVEL: 'silent',
      EMBEDDER: 'local',
      EMBEDDING_MODEL: await writeTinyModel(join(folder, 'tiny')),
      LOCAL_PACKAGES: await installPackages(folder),
    };
    const out = join(folder, 'local.json');
    await printedBy(() => calibrateEmbedder([join(folder, 'talks.jsonl')], { out, env }));
    const profile = JSON.parse(await readFile(out, 'utf8'));
    expect(profile).toMatchObject({ model: 'tiny', dimension: TINY_DIMENSION, calibrated: true });
    expect(loadConfig({ ...env, EMBEDDING_PROFILE: out }).embedding.profile).toEqual(profile);
  });

  it('calibrate writes a profile that the settings accept', async () => {
    const env = {
      EMBEDDER: 'openai',
      EMBEDDING_MODEL: 'stub',
      EMBEDDING_BASE_URL: server.baseUrl,
    };
    const out = join(folder, 'profile.json');
    const files = [join(folder, 'talks.jsonl'), path('locomo-fixture.json')];
    await using connection = await createTestDatabase();
    const parts = { connection, indexer: sharedIndexer(), languageThreads: sharedThreads(false) };
    const { result } = await printedBy(() => calibrateEmbedder(files, { out, env, parts }));
    expect(result).toMatchObject({
      embedder: 'openai:stub@16',
      profile: { model: 'stub', dimension: 16, calibrated: true },
    });
    expect(result.vectorWeights.length).toBeGreaterThan(5);
    expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(result.profile);
    const { embedding } = loadConfig({ ...env, EMBEDDING_PROFILE: out });
    expect(embedding.profile).toEqual(result.profile);
  });

  it('calibrate reports an error in one line', async () => {
    const file = join(folder, 'odd.txt');
    await writeFile(file, 'odd');
    const run = promisify(execFile)(process.execPath, tool('fit/calibrate', file), { env: {} });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/holds neither JSON lines .*\.\n$/),
    });
    const env = { EMBEDDER: 'none' };
    await expect(calibrateEmbedder([join(folder, 'talks.jsonl')], { env })).rejects.toMatchObject({
      name: 'CommandFailed',
      message: expect.stringContaining('EMBEDDER'),
    });
  });
});
