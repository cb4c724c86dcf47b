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
  /** As its profile calls it: the folder's name, or the hub's name of it. */
  name: string;
  /** Where its files are, or will be. */
  folder: string;
  dtype: Dtype;
  /** Where to fetch them from; null = they are here. */
  remote: { hub: string; revision: string } | null;
};

/** Where models are fetched from, and where they are kept. */
export type Places = { hub: string; models: string };

const HUB_NAME = /^([\w-][\w.-]*\/[\w.-]+)(?:@([\w./-]+))?$/;

/**
 * Reads EMBEDDING_MODEL.
 * @param model a folder, or a name on the hub, also with a revision: "Xenova/all-MiniLM-L6-v2@main"
 * @throws InvalidSetting saying what is wrong with the name, or what the folder lacks
 */
export function findModel(model: string, dtype: Dtype, { hub, models }: Places): ModelSource {
  if (existsSync(model)) {
    const name = nameOfFolder(model);
    return { name, dtype, folder: findFiles(model, name, dtype).folder, remote: null };
  }
  const [, name, revision = 'main'] = HUB_NAME.exec(model) ?? [];
  if (name === undefined || revision.includes('..')) {
    throw new InvalidSetting(
      `EMBEDDING_MODEL: there is no folder ${model}, and a model of the hub is named like "Xenova/all-MiniLM-L6-v2"`,
    );
  }
  const folder = join(models, name, revision);
  return { name, folder, dtype, remote: { hub, revision } };
}

/**
 * A model's files, fetched if they are not here yet.
 * @throws Error, InvalidSetting saying what could not be had
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
    // The weights come last: when they are here, all is.
    for (const place of places) {
      await bring(`${place}_data`);
      if (await bring(place)) break;
    }
  }
  return findFiles(folder, name, dtype);
}
