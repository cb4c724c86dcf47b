import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { InvalidSetting } from '../../domain/errors.ts';
import { bareName } from '../profile.ts';
import type { Pooling } from './transformers.ts';

/** In which numbers a model's weights are written. */
export type Dtype = 'fp32' | 'fp16' | 'q8';

/** A sentence-transformer in ONNX: in a folder, or on the hub. */
export type ModelSource = {
  /** As its profile calls it: the folder's name, or the hub's name of it. */
  name: string;
  /** The folder, absolute, or the name on the hub. */
  path: string;
  /** The hub's revision; null = it is a folder. */
  revision: string | null;
  dtype: Dtype;
  /** Where the ONNX file lies in it. */
  subfolder: string;
  pooling: Pooling;
};

/** As the makers of such files name them. */
const SUFFIX: Record<Dtype, string> = { fp32: '', fp16: '_fp16', q8: '_quantized' };
const ONNX = 'onnx';
const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
const POOLING = '1_Pooling/config.json';

/** Models whose first token's vector is the text's, and those whose last one's is. The others take the mean. */
const BY_NAME: readonly [RegExp, Pooling][] = [
  [/^(bge|mxbai-embed|(snowflake-)?arctic-embed|gte-.*-v1\.5|gte-modernbert)/, 'cls'],
  [/^qwen3-embedding/, 'last_token'],
];

const weightsOf = (dtype: Dtype) => `model${SUFFIX[dtype]}.onnx`;

/**
 * Finds a model's files.
 * @param model a folder, or a name on the hub, also with a revision: "Xenova/all-MiniLM-L6-v2@main"
 * @throws InvalidSetting saying what the folder lacks
 */
export function findModel(model: string, dtype: Dtype): ModelSource {
  const isHubName = /^[\w.-]+\/[\w.-]+(@[\w./-]+)?$/.test(model) && !/^\.{1,2}\//.test(model);
  if (existsSync(model)) return findFolder(model, dtype);
  if (!isHubName) {
    throw new InvalidSetting(
      `EMBEDDING_MODEL: there is no folder ${model}, and a model of the hub is named like "Xenova/all-MiniLM-L6-v2"`,
    );
  }
  const [name = model, revision = 'main'] = model.split('@');
  const pooling = poolingByName(name);
  return { name, path: name, revision, dtype, subfolder: ONNX, pooling };
}

function findFolder(model: string, dtype: Dtype): ModelSource {
  const path = resolve(model);
  const name = basename(path);
  const has = (file: string) => existsSync(join(path, file));
  const wrong = (what: string) => new InvalidSetting(`EMBEDDING_MODEL: ${model} ${what}`);
  if (!statSync(path).isDirectory()) throw wrong('is a file; name the folder that it is in');
  const weights = weightsOf(dtype);
  const subfolder = has(join(ONNX, weights)) ? ONNX : has(weights) ? '' : null;
  const missing = NEEDED.filter((file) => !has(file));
  if (subfolder === null) missing.push(`${ONNX}/${weights}`);
  if (missing.length > 0 || subfolder === null) {
    const others = (Object.keys(SUFFIX) as Dtype[]).filter(
      (other) => has(join(ONNX, weightsOf(other))) || has(weightsOf(other)),
    );
    const hint = subfolder === null && others[0] ? ` Or set EMBEDDING_DTYPE=${others[0]}.` : '';
    throw wrong(
      `lacks ${missing.join(', ')}. It must hold a sentence-transformer in ONNX, such as "optimum-cli export onnx --task feature-extraction --model NAME FOLDER" makes.${hint}`,
    );
  }
  const pooling = has(POOLING) ? readPooling(join(path, POOLING)) : poolingByName(name);
  return { name, path, revision: null, dtype, subfolder, pooling };
}

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

/**
 * Tells models apart whose vectors do not compare. Of a folder it is what its files hold, wherever it lies; of the hub the
 * revision's name.
 */
export async function fingerprint(source: ModelSource): Promise<string> {
  const { path, revision, dtype, subfolder, pooling } = source;
  const hash = createHash('sha256').update(JSON.stringify([dtype, pooling]));
  if (revision !== null) return hash.update(`${path}@${revision}`).digest('hex');
  const weights = join(subfolder, weightsOf(dtype));
  for (const file of [weights, `${weights}_data`, 'tokenizer.json']) {
    if (!existsSync(join(path, file))) continue;
    for await (const part of createReadStream(join(path, file))) hash.update(part as Buffer);
  }
  return hash.digest('hex');
}
