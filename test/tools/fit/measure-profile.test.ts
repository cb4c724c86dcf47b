import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { measureProfile, profileText } from '../../../tools/fit/calibrate/measure-profile.ts';
import { embedAll, openEmbedder } from '../../support/models/model-embedder.ts';
import { startModelServer } from '../../support/models/model-server.ts';

const CAT = [
  'My cat is ill today',
  'The vet gave the cat some pills',
  'Poor cat',
  'She ate a fish',
];
const TRAIN = ['The train was late', 'I missed the tram', 'Trains are always late', 'Take the bus'];
const TALKS = [
  { utterances: [...CAT, ...TRAIN], boundaries: [4] },
  { utterances: [...TRAIN, ...CAT], boundaries: [4] },
];

it('how the cosines of an embedder are read is measured, and the settings accept what was measured', async () => {
  await using server = await startModelServer(embedAll(16));
  await using embedder = openEmbedder(server);
  const { name, profile, measured } = await measureProfile(embedder, TALKS, []);
  expect(name).toBe('openai:stub@16');
  expect(profile).toMatchObject({ model: 'stub', dimension: 16, calibrated: true });
  expect(profile).toMatchObject({
    surprise: measured.surprise,
    thresholds: measured.thresholds,
    vectorWeight: embedder.profile.vectorWeight,
  });
  expect(profile.surprise).not.toEqual(embedder.profile.surprise);

  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-profile-'));
  const file = join(folder, 'profile.json');
  await writeFile(file, profileText(profile));
  const { embedding } = loadConfig({
    EMBEDDER: 'openai',
    EMBEDDING_MODEL: 'stub',
    EMBEDDING_BASE_URL: server.baseUrl,
    EMBEDDING_PROFILE: file,
  });
  expect(embedding.profile).toEqual(JSON.parse(profileText(profile)));
  await rm(folder, { recursive: true });
});
