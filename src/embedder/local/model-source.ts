import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidSetting } from '../../domain/core/errors.ts';
import { fetchFile } from '../../local-models/fetch-file.ts';
import type { Progress } from '../../local-models/progress.ts';
import {
  type Dtype,
  findFiles,
  type ModelFiles,
  NEEDED,
  nameOfFolder,
  ONNX,
  POOLING,
  weightsOf,
} from './model-files.ts';

/** Where a sentence-transformer in ONNX comes from. */
export type ModelSource = {
  /** The name in its profile: the name of the folder, or that on the hub. */
  name: string;
  /** The folder of its files, which may not be downloaded yet. */
  folder: string;
  dtype: Dtype;
  /** Where to download them from; null = they are on this machine. */
  remote: { hub: string; revision: string } | null;
};

/** The address of the hub, and the folder for downloaded models. */
export type ModelPlaces = { hub: string; models: string };

const HUB_NAME = /^([\w-][\w.-]*\/[\w.-]+)(?:@([\w./-]+))?$/;

/**
 * Finds the model that EMBEDDING_MODEL names.
 * @param model a folder, or a name on the hub with an optional revision: "Xenova/all-MiniLM-L6-v2@main"
 * @throws InvalidSetting if the name is invalid or files are missing in the folder
 */
export function findModel(model: string, dtype: Dtype, { hub, models }: ModelPlaces): ModelSource {
  if (existsSync(model)) {
    const name = nameOfFolder(model);
    return { name, dtype, folder: findFiles(model, name, dtype).folder, remote: null };
  }
  const [, name, revision = 'main'] = HUB_NAME.exec(model) ?? [];
  if (name === undefined || revision.includes('..')) {
    throw new InvalidSetting(
      `EMBEDDING_MODEL: ${model} is neither a folder nor the name of a model on the hub, such as "Xenova/all-MiniLM-L6-v2"`,
    );
  }
  const folder = join(models, name, revision);
  return { name, folder, dtype, remote: { hub, revision } };
}

/**
 * Returns a model's files and downloads them first if necessary.
 * @throws Error, InvalidSetting that say which file is missing
 */
export async function bringFiles(
  { name, folder, dtype, remote }: ModelSource,
  fetched: (progress: Progress) => void,
): Promise<ModelFiles> {
  const weights = weightsOf(dtype);
  const places = [join(ONNX, weights), weights];
  const has = (file: string) => existsSync(join(folder, file));
  if (remote && !(NEEDED.every(has) && places.some(has))) {
    const base = `${remote.hub.replace(/\/$/, '')}/${name}/resolve/${remote.revision}`;
    const bring = async (file: string) =>
      has(file) || (await fetchFile(`${base}/${file}`, join(folder, file), fetched));
    for (const file of NEEDED) {
      if (!(await bring(file)))
        throw new Error(`${name}@${remote.revision} has no ${file} on the hub`);
    }
    await bring(POOLING);
    // The weights are downloaded last, so that their presence means that the model is complete.
    for (const place of places) {
      await bring(`${place}_data`);
      if (await bring(place)) break;
    }
  }
  return findFiles(folder, name, dtype);
}
