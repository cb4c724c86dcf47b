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
  /** A folder, or a name on the hub, see `findModel`. */
  model: string;
  dtype: Dtype;
  profile: EmbeddingProfile | null;
  maxTokens: number | null;
  /** The folder for downloaded models. */
  models: string;
  /** The address of the hub from which models are downloaded. */
  hub: string;
  /** The folder of the optional packages; null = the server's own node_modules. */
  packages: string | null;
};

/**
 * Opens the model for EMBEDDER=local. It is loaded in the background.
 * @throws InvalidSetting that says what to do, if the package or a file is missing
 */
export function openLocalEmbedder(
  { model, dtype, profile: configured, maxTokens, models, hub, packages }: LocalEmbeddingSettings,
  services: Pick<ModelThreadOptions, 'notice' | 'clock' | 'patience'>,
): Embedder {
  const packageUrl = findPackage(TRANSFORMERS, packages);
  const source = findModel(model, dtype, { hub, models: resolve(models) });
  const profile = configured ?? profileOf(source.name);
  if (profile.model !== source.name) {
    throw new InvalidSetting(
      `EMBEDDING_PROFILE: it was measured for "${profile.model}", but the model is "${source.name}"`,
    );
  }
  const workerData: LocalEmbedderData = {
    packageUrl,
    source,
    dimension: profile.dimension,
  };
  const advice =
    source.remote === null
      ? 'Check EMBEDDING_MODEL: the folder must contain a sentence-transformer in ONNX.'
      : `Check EMBEDDING_MODEL and EMBEDDING_DTYPE, and whether the hub can be reached; without a network, name a folder with the model's files.`;
  const thread: LocalModel = createModelThread({
    module: 'embedder/local/worker',
    workerData,
    title: `The embedding model ${source.name}`,
    advice,
    ...services,
  });
  return createLocalEmbedder(thread, maxTokens === null ? profile : { ...profile, maxTokens });
}
