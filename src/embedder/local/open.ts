import { resolve } from 'node:path';
import type { EmbeddingProfile } from '../../domain/core/embedding-profile.ts';
import { InvalidSetting } from '../../domain/core/errors.ts';
import { createModelThread, type ModelThreadOptions } from '../../local-models/model-thread.ts';
import { findPackage, TRANSFORMERS } from '../../local-models/optional-package.ts';
import type { Embedder } from '../core/embedder.ts';
import { profileOf } from '../core/profile.ts';
import { createLocalEmbedder, type LocalModel } from './local.ts';
import type { Dtype } from './model-files.ts';
import { findModel } from './model-source.ts';
import type { LocalEmbedderData } from './worker.ts';

/** The settings of a local embedding model. */
export type LocalEmbeddingSettings = {
  /** A folder, or a name on the hub. */
  model: string;
  dtype: Dtype;
  profile: EmbeddingProfile | null;
  maxTokens: number | null;
  /** Where fetched models are kept. */
  models: string;
  /** Where models are fetched from. */
  hub: string;
  /** Where the optional packages are; null = beside the others. */
  packages: string | null;
};

/**
 * Opens a model of EMBEDDER=local. It is loaded in the background.
 * @throws InvalidSetting when the package or a file is missing, saying what to do
 */
export function openLocalEmbedder(
  { model, dtype, profile: own, maxTokens, models, hub, packages }: LocalEmbeddingSettings,
  services: Pick<ModelThreadOptions, 'notice' | 'clock' | 'patience'>,
): Embedder {
  const packageUrl = findPackage(TRANSFORMERS, packages);
  const source = findModel(model, dtype, { hub, models: resolve(models) });
  const profile = own ?? profileOf(source.name);
  if (profile.model !== source.name) {
    throw new InvalidSetting(
      `EMBEDDING_PROFILE: was measured for "${profile.model}", but the model is "${source.name}"`,
    );
  }
  const workerData: LocalEmbedderData = {
    packageUrl,
    source,
    dimension: profile.dimension,
  };
  const advice =
    source.remote === null
      ? 'Look at EMBEDDING_MODEL: the folder must hold a sentence-transformer in ONNX.'
      : `Look at EMBEDDING_MODEL and EMBEDDING_DTYPE, and whether the hub can be reached; without a network, name a folder with the model's files.`;
  const thread: LocalModel = createModelThread({
    file: new URL('./worker', import.meta.url),
    workerData,
    title: `The embedding model ${source.name}`,
    advice,
    ...services,
  });
  return createLocalEmbedder(thread, maxTokens === null ? profile : { ...profile, maxTokens });
}
