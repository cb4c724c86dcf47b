import { createMatrices, type MatrixRows, type Norm, type Packed } from './matrices.ts';
import type { Weights } from './use-weights.ts';

/** The length of a vector. */
export const DIMENSION = 512;
/** The model was trained on texts of up to this many tokens, and its graph drops the rest. */
export const MAX_TOKENS = 128;

const EMBEDDING = 256;
const FILTER = 1536;
const HEADS = 4;
/** The packed weights (9.4 MB) and the buffers for `MAX_TOKENS`. */
const MEMORY_BYTES = 14 * 2 ** 20;
const LARGEST_KERNEL_BYTES = DIMENSION * FILTER * 4;

/**
 * Maps texts, given as token ids, to unit vectors of `DIMENSION`. Takes up to `MAX_TOKENS` texts with up to `MAX_TOKENS` tokens
 * in all, and throws `RangeError` for more.
 */
export type Model = (texts: readonly (readonly number[])[]) => Float32Array[];

/** Which rows belong to a text. */
type Place = { start: number; count: number };

/** Softmax of `factor · x`, in place, over the first `width` values of each row. The padding behind them stays as it is. */
function softmax(
  x: Float32Array,
  rows: number,
  stride: number,
  width: number,
  factor: number,
): void {
  for (let start = 0; start < rows * stride; start += stride) {
    let largest = -Infinity;
    for (let i = start; i < start + width; i++) largest = Math.max(largest, x[i]!);
    let sum = 0;
    for (let i = start; i < start + width; i++) sum += x[i] = Math.exp((x[i]! - largest) * factor);
    for (let i = start; i < start + width; i++) x[i]! /= sum;
  }
}

const rowsOf = (values: Float32Array, stride: number, count: number): MatrixRows => ({
  values,
  offset: 0,
  stride,
  count,
});

/**
 * The forward pass of Universal Sentence Encoder lite (two transformer layers, mean, tanh layer; Cer et al. 2018), which
 * follows the graph in the package's `model.json`. Short texts go through the matrices together, since reading the
 * weights takes most of their time; each text gets the vector that it would get alone.
 */
export function createModel(weights: Weights): Model {
  const matrices = createMatrices(MEMORY_BYTES, MAX_TOKENS, FILTER);
  // The kernels are read one after the other: as arrays of their own, they would leave 20 MB that the process keeps.
  const kernel = new ArrayBuffer(LARGEST_KERNEL_BYTES);
  const load = (name: string, k: number, n: number) =>
    matrices.load(weights(`${name}/kernel`, kernel), weights(`${name}/bias`), k, n);
  const loadNorm = (name: string): Norm => ({
    scale: matrices.keep(weights(`${name}/scale`)),
    bias: matrices.keep(weights(`${name}/bias`)),
  });
  const loadLayer = (name: string, size: number) => ({
    size,
    norm: loadNorm(`${name}/norm`),
    qkv: load(`${name}/qkv_transform`, size, size * 3),
    output: load(`${name}/output_transform`, size, DIMENSION),
    filterNorm: loadNorm(`${name}/FFN/norm`),
    widen: load(`${name}/FFN/conv1`, DIMENSION, FILTER),
    narrow: load(`${name}/FFN/conv2`, FILTER, DIMENSION),
    keys: matrices.reserve(size / HEADS, MAX_TOKENS),
    values: matrices.reserve(MAX_TOKENS, size / HEADS),
  });
  type Layer = ReturnType<typeof loadLayer>;
  const embeddings = weights('Embeddings_en');
  const frequencies = weights('Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1');
  const first = loadLayer('Layer_0', EMBEDDING);
  const second = loadLayer('Layer_1', DIMENSION);
  const residual = load('Layer_0/dense', EMBEDDING, DIMENSION);
  const last = matrices.load(
    weights('hidden_layers/tanh_layer_0/weights', kernel),
    weights('hidden_layers/tanh_layer_0/bias'),
    DIMENSION,
    DIMENSION,
  );

  const wide = matrices.output(MAX_TOKENS, FILTER);
  const narrow = matrices.output(MAX_TOKENS, DIMENSION);
  const scores = matrices.output(MAX_TOKENS, MAX_TOKENS);
  const mixed = matrices.output(MAX_TOKENS, DIMENSION / HEADS);
  const state = matrices.output(MAX_TOKENS, DIMENSION);
  const input = matrices.reserveFloats(MAX_TOKENS * EMBEDDING);
  const normed = matrices.reserveFloats(MAX_TOKENS * DIMENSION);
  const means = matrices.reserveFloats(MAX_TOKENS * FILTER);

  const timing = new Float32Array(MAX_TOKENS * EMBEDDING);
  for (let position = 0; position < MAX_TOKENS; position++) {
    frequencies.forEach((frequency, i) => {
      timing[position * EMBEDDING + i] = Math.sin(position * frequency);
      timing[position * EMBEDDING + i + EMBEDDING / 2] = Math.cos(position * frequency);
    });
  }

  /** The token's embedding counts twice: the graph adds the timing signal to the embedding, and the embedding to that sum. */
  const embed = (tokens: readonly number[], start: number): void => {
    for (let position = 0; position < tokens.length; position++) {
      const row = position * EMBEDDING;
      const into = start * EMBEDDING + row;
      const from = tokens[position]! * EMBEDDING;
      for (let i = 0; i < EMBEDDING; i++)
        input[into + i] = 2 * embeddings[from + i]! + timing[row + i]!;
    }
  };

  /** Adds the mean of a text's rows of `x` to `y`. Their sum takes the place of the first of these rows. */
  const addMean = (
    y: Float32Array,
    x: Float32Array,
    { start, count }: Place,
    size: number,
  ): void => {
    const sum = x.subarray(start * size, (start + 1) * size);
    for (let row = start + 1; row < start + count; row++) {
      matrices.add(sum, x.subarray(row * size, (row + 1) * size), size);
    }
    for (let i = 0; i < size; i++) y[i]! += sum[i]! / count;
  };

  /** Attention of one text: reads its q, k and v from `wide` and writes the outputs of the heads to `normed`. */
  const attend = ({ size, keys, values }: Layer, { start, count }: Place): void => {
    const depth = size / HEADS;
    const stride = size * 3;
    const scoreStride = Math.ceil(count / 8) * 8;
    const k: Packed = { ...keys, n: count };
    const v: Packed = { ...values, k: count };
    for (let head = 0; head < HEADS; head++) {
      const offset = start * stride + head * depth;
      matrices.packTransposed(k, { values: wide, offset: offset + size, stride, count });
      matrices.multiply({ values: wide, offset, stride, count }, k, scores);
      softmax(scores, count, scoreStride, count, 1 / Math.sqrt(depth));
      matrices.pack(v, wide, offset + size * 2, stride);
      matrices.multiply(rowsOf(scores, scoreStride, count), v, mixed);
      for (let row = 0; row < count; row++) {
        const into = (start + row) * size + head * depth;
        normed.set(mixed.subarray(row * depth, (row + 1) * depth), into);
      }
    }
  };

  /** Writes the output of the attention layer, before its residual, to `narrow`. */
  const attention = (
    layer: Layer,
    x: Float32Array,
    places: readonly Place[],
    rows: number,
  ): void => {
    matrices.normalize(layer.norm, x, normed, { count: rows, size: layer.size });
    matrices.multiply(rowsOf(normed, layer.size, rows), layer.qkv, wide);
    for (const place of places) attend(layer, place);
    matrices.multiply(rowsOf(normed, layer.size, rows), layer.output, narrow);
  };

  /** Writes the filter layer's activations (ReLU) of `state` to `wide`. */
  const widen = (layer: Layer, rows: number): void => {
    matrices.normalize(layer.filterNorm, state, normed, { count: rows, size: DIMENSION });
    matrices.multiply(rowsOf(normed, DIMENSION, rows), layer.widen, wide, 0);
  };

  /** Runs both transformer layers and writes the mean of each text's rows to one row of `narrow`. */
  const encode = (texts: readonly (readonly number[])[]): void => {
    let rows = 0;
    const places = texts.map((tokens): Place => {
      const place = { start: rows, count: tokens.length };
      embed(tokens, rows);
      rows += tokens.length;
      return place;
    });
    if (rows === 0) {
      narrow.fill(0);
      return;
    }
    const nonEmpty = places.filter(({ count }) => count > 0);
    matrices.multiply(rowsOf(input, EMBEDDING, rows), residual, state);
    attention(first, input, nonEmpty, rows);
    matrices.add(state, narrow, rows * DIMENSION);
    widen(first, rows);
    // Of English, the ReLU leaves one value in fourteen.
    matrices.multiplySparse(rowsOf(wide, FILTER, rows), first.narrow, narrow);
    matrices.add(state, narrow, rows * DIMENSION);
    attention(second, state, nonEmpty, rows);
    matrices.add(state, narrow, rows * DIMENSION);
    widen(second, rows);
    // The last product and the mean over the tokens are both linear, so the mean, which is cheaper, is taken first.
    means.fill(0, 0, texts.length * FILTER);
    for (const [index, place] of places.entries()) {
      const row = means.subarray(index * FILTER, (index + 1) * FILTER);
      if (place.count > 0) addMean(row, wide, place, FILTER);
    }
    matrices.multiply(rowsOf(means, FILTER, texts.length), second.narrow, narrow);
    for (const [index, place] of places.entries()) {
      const row = narrow.subarray(index * DIMENSION, (index + 1) * DIMENSION);
      if (place.count === 0) row.fill(0);
      else addMean(row, state, place, DIMENSION);
    }
  };

  return (texts) => {
    const tokens = texts.reduce((sum, { length }) => sum + length, 0);
    if (Math.max(tokens, texts.length) > MAX_TOKENS)
      throw new RangeError(
        `${texts.length} texts with ${tokens} tokens; each may be ${MAX_TOKENS} at most.`,
      );
    if (texts.length === 0) return [];
    encode(texts);
    matrices.multiply(rowsOf(narrow, DIMENSION, texts.length), last, state);
    return texts.map((_, index) => {
      const row = state.subarray(index * DIMENSION, (index + 1) * DIMENSION);
      const vector = Float32Array.from(row, Math.tanh);
      const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
      return vector.map((value) => value / length);
    });
  };
}
