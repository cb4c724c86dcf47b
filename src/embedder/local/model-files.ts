import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { InvalidSetting } from '../../domain/core/errors.ts';
import { bareName } from '../core/profile.ts';
import type { Pooling } from './transformers.ts';

/** In which numbers a model's weights are written. */
export type Dtype = 'fp32' | 'fp16' | 'q8';

/** A sentence-transformer in ONNX whose files are on this machine. */
export type ModelFiles = {
  /** Absolute. */
  folder: string;
  dtype: Dtype;
  /** Where the ONNX file lies in it. */
  subfolder: string;
  pooling: Pooling;
};

/** As the makers of such files name them. */
const SUFFIX: Record<Dtype, string> = { fp32: '', fp16: '_fp16', q8: '_quantized' };
/** Where the weights lie in most repositories; in the others they lie at the top. */
export const ONNX = 'onnx';
/** What reads a text and says what the model is. */
export const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
/** How a text's vector is made of those of its tokens; many repositories leave it out. */
export const POOLING = '1_Pooling/config.json';

/** Models whose first token's vector is the text's, and those whose last one's is. The others take the mean. */
const BY_NAME: readonly [RegExp, Pooling][] = [
  [/^(bge|mxbai-embed|(snowflake-)?arctic-embed|gte-.*-v1\.5|gte-modernbert)/, 'cls'],
  [/^qwen3-embedding/, 'last_token'],
];

/** The name of the ONNX file. */
export const weightsOf = (dtype: Dtype): string => `model${SUFFIX[dtype]}.onnx`;

/**
 * Looks what a model's folder holds.
 * @param name as the model is called: where the folder does not say how its vectors are made, the name may
 * @throws InvalidSetting saying what it lacks
 */
export function findFiles(model: string, name: string, dtype: Dtype): ModelFiles {
  const folder = resolve(model);
  const has = (file: string) => existsSync(join(folder, file));
  const wrong = (what: string) => new InvalidSetting(`EMBEDDING_MODEL: ${model} ${what}`);
  if (!statSync(folder).isDirectory()) throw wrong('is a file; name the folder that it is in');
  const subfolderOf = (other: Dtype) => ['onnx', ''].find((at) => has(join(at, weightsOf(other))));
  const subfolder = subfolderOf(dtype);
  const missing = NEEDED.filter((file) => !has(file));
  if (subfolder === undefined) missing.push(`${ONNX}/${weightsOf(dtype)}`);
  if (missing.length > 0 || subfolder === undefined) {
    const others = (Object.keys(SUFFIX) as Dtype[]).filter(
      (other) => subfolderOf(other) !== undefined,
    );
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

/** What a folder's model is called. */
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
  // An older file says each mode with true or false, a newer one names the mode.
  const { pooling_mode: named } = modes;
  const isOn = (mode: string) => modes[`pooling_mode_${mode}`] === true;
  if (isOn('mean_tokens') || named === 'mean') return 'mean';
  if (isOn('cls_token') || named === 'cls') return 'cls';
  if (isOn('lasttoken') || named === 'lasttoken') return 'last_token';
  throw wrong('names a pooling that is not known here; mean, cls and last token are');
}

/** What a model's files hold, wherever they lie: models whose vectors do not compare have different ones. */
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
