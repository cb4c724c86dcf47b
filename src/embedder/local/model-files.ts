import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { InvalidSetting } from '../../domain/core/errors.ts';
import { keysOf } from '../../shared/keys-of.ts';
import { bareName } from '../core/profile.ts';
import type { Pooling } from './transformers.ts';

/** The number format of a model's weights. */
export type Dtype = 'fp32' | 'fp16' | 'q8';

/** The files of a sentence-transformer in ONNX on this machine. */
export type ModelFiles = {
  /** The absolute path. */
  folder: string;
  dtype: Dtype;
  /** The folder of the ONNX file inside `folder`. */
  subfolder: string;
  pooling: Pooling;
};

/** The usual suffixes of ONNX files. */
const SUFFIX: Record<Dtype, string> = { fp32: '', fp16: '_fp16', q8: '_quantized' };
/** The folder of the weights in most repositories; in the others they are at the top. */
export const ONNX = 'onnx';
/** The files that every model needs besides its weights: its configuration and tokenizer. */
export const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
/** The file that says how to pool the vectors of tokens into one; many repositories omit it. */
export const POOLING = '1_Pooling/config.json';

/** Pooling by model name: by the first token ("cls") or the last one. All other models use the mean. */
const BY_NAME: readonly [RegExp, Pooling][] = [
  [/^(bge|mxbai-embed|(snowflake-)?arctic-embed|gte-.*-v1\.5|gte-modernbert)/, 'cls'],
  [/^qwen3-embedding/, 'last_token'],
];

/** The name of the ONNX file. */
export const weightsOf = (dtype: Dtype): string => `model${SUFFIX[dtype]}.onnx`;

/**
 * Finds the files in a model's folder.
 * @param name the model's name, which determines the pooling if the folder does not
 * @throws InvalidSetting that names the missing files
 */
export function findFiles(model: string, name: string, dtype: Dtype): ModelFiles {
  const folder = resolve(model);
  const has = (file: string) => existsSync(join(folder, file));
  const wrong = (what: string) => new InvalidSetting(`EMBEDDING_MODEL: ${model} ${what}`);
  if (!statSync(folder).isDirectory()) throw wrong('is a file; name the folder that contains it');
  const subfolderOf = (other: Dtype) => ['onnx', ''].find((at) => has(join(at, weightsOf(other))));
  const subfolder = subfolderOf(dtype);
  const missing = NEEDED.filter((file) => !has(file));
  if (subfolder === undefined) missing.push(`${ONNX}/${weightsOf(dtype)}`);
  if (missing.length > 0 || subfolder === undefined) {
    const others = keysOf(SUFFIX).filter((other) => subfolderOf(other) !== undefined);
    const hint =
      subfolder === undefined && others[0] ? ` Or set EMBEDDING_DTYPE=${others[0]}.` : '';
    throw wrong(
      `lacks ${missing.join(', ')}. It must hold a sentence-transformer in ONNX, such as "optimum-cli ` +
        `export onnx --task feature-extraction --model NAME FOLDER" makes.${hint}`,
    );
  }
  const pooling = has(POOLING) ? readPooling(join(folder, POOLING)) : poolingByName(name);
  return { folder, dtype, subfolder, pooling };
}

/** The name of the model in a folder. */
export const nameOfFolder = (model: string): string => basename(resolve(model));

const poolingByName = (name: string): Pooling =>
  BY_NAME.find(([pattern]) => pattern.test(bareName(name)))?.[1] ?? 'mean';

function readPooling(path: string): Pooling {
  const wrong = (what: string) => new InvalidSetting(`EMBEDDING_MODEL: ${path} ${what}`);
  let modes: Record<string, unknown>;
  try {
    modes = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  } catch {
    throw wrong('is not JSON');
  }
  // Older files have a boolean for each mode; newer ones name the mode.
  const { pooling_mode: named } = modes;
  const isOn = (mode: string) => modes[`pooling_mode_${mode}`] === true;
  if (isOn('mean_tokens') || named === 'mean') return 'mean';
  if (isOn('cls_token') || named === 'cls') return 'cls';
  if (isOn('lasttoken') || named === 'lasttoken') return 'last_token';
  throw wrong('names a pooling that is not supported; supported are mean, cls and last token');
}

/** A hash of a model's weights, tokenizer, dtype and pooling: models whose vectors cannot be compared have different ones. */
export async function fingerprint(files: ModelFiles): Promise<string> {
  const { folder, dtype, subfolder, pooling } = files;
  const hash = createHash('sha256').update(JSON.stringify([dtype, pooling]));
  const weights = join(subfolder, weightsOf(dtype));
  for (const file of [weights, `${weights}_data`, 'tokenizer.json']) {
    if (!existsSync(join(folder, file))) continue;
    for await (const part of createReadStream(join(folder, file))) hash.update(part as Buffer);
  }
  return hash.digest('hex');
}
