import { createMultiplier, type Packed, type Rows } from './pack-matrix.ts';
import type { Weights } from './use-weights.ts';

/** The length of a vector. */
export const DIMENSION = 512;
/** The model was trained on texts of up to so many tokens, and its graph drops what comes after. */
export const MAX_TOKENS = 128;

const EMBEDDING = 256;
const FILTER = 1536;
const HEADS = 4;
const EPSILON = 1e-6;
/** The packed weights (9.4 MB) and the room for one text. */
const MEMORY_BYTES = 13 * 2 ** 20;

/** Maps the ids of up to `MAX_TOKENS` tokens to a unit vector of `DIMENSION`; throws `RangeError` if there are more. */
export type Model = (tokens: readonly number[]) => Float32Array;

/** y[i] = scale · (x − mean) / √(variance + ε) + bias for each row of `size`. */
function layerNorm(
  x: Float32Array,
  rows: number,
  size: number,
  scale: Float32Array,
  bias: Float32Array,
  y: Float32Array,
) {
  for (let row = 0; row < rows; row++) {
    const start = row * size;
    let sum = 0;
    for (let i = start; i < start + size; i++) sum += x[i]!;
    const mean = sum / size;
    let squares = 0;
    for (let i = start; i < start + size; i++) squares += (x[i]! - mean) ** 2;
    const by = 1 / Math.sqrt(squares / size + EPSILON);
    for (let i = 0; i < size; i++)
      y[start + i] = (x[start + i]! - mean) * by * scale[i]! + bias[i]!;
  }
}

/** In place, over the first `width` values of each row; the padding behind them becomes 0. */
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

/** Adds `x` to `y`, value by value, up to `size`. */
function add(y: Float32Array, x: Float32Array, size: number): void {
  for (let i = 0; i < size; i++) y[i]! += x[i]!;
}

/** The mean of the rows; 0 if there are none. */
function mean(x: Float32Array, rows: number, size: number): Float32Array {
  const result = new Float32Array(size);
  for (let row = 0; row < rows; row++) add(result, x.subarray(row * size, (row + 1) * size), size);
  return result.map((sum) => sum / Math.max(rows, 1));
}

const rowsOf = (values: Float32Array, stride: number, count: number): Rows => ({
  values,
  offset: 0,
  stride,
  count,
});

/**
 * The forward pass of Universal Sentence Encoder lite (two transformer layers, mean, tanh layer; Cer et al. 2018), written
 * out after the graph in the package's `model.json`. One text at a time: batches would gain less than 5%.
 */
export function createModel(weights: Weights): Model {
  const matrices = createMultiplier(MEMORY_BYTES, MAX_TOKENS, FILTER);
  const load = (name: string, k: number, n: number) =>
    matrices.load(weights(`${name}/kernel`), weights(`${name}/bias`), k, n);
  const loadLayer = (name: string, size: number) => ({
    size,
    norm: { scale: weights(`${name}/norm/scale`), bias: weights(`${name}/norm/bias`) },
    qkv: load(`${name}/qkv_transform`, size, size * 3),
    output: load(`${name}/output_transform`, size, DIMENSION),
    filterNorm: {
      scale: weights(`${name}/FFN/norm/scale`),
      bias: weights(`${name}/FFN/norm/bias`),
    },
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
    weights('hidden_layers/tanh_layer_0/weights'),
    weights('hidden_layers/tanh_layer_0/bias'),
    DIMENSION,
    DIMENSION,
  );

  const wide = matrices.output(MAX_TOKENS, FILTER);
  const narrow = matrices.output(MAX_TOKENS, DIMENSION);
  const scores = matrices.output(MAX_TOKENS, MAX_TOKENS);
  const mixed = matrices.output(MAX_TOKENS, DIMENSION / HEADS);
  const state = matrices.output(MAX_TOKENS, DIMENSION);
  const input = new Float32Array(MAX_TOKENS * EMBEDDING);
  const normed = new Float32Array(MAX_TOKENS * DIMENSION);

  const timing = new Float32Array(MAX_TOKENS * EMBEDDING);
  for (let position = 0; position < MAX_TOKENS; position++) {
    frequencies.forEach((frequency, i) => {
      timing[position * EMBEDDING + i] = Math.sin(position * frequency);
      timing[position * EMBEDDING + i + EMBEDDING / 2] = Math.cos(position * frequency);
    });
  }

  /** The token's embedding counts twice: the graph adds the timing signal to it, and then adds that to it again. */
  const embed = (tokens: readonly number[], into: Float32Array): void => {
    for (let position = 0; position < tokens.length; position++) {
      const row = position * EMBEDDING;
      const from = tokens[position]! * EMBEDDING;
      for (let i = 0; i < EMBEDDING; i++)
        into[row + i] = 2 * embeddings[from + i]! + timing[row + i]!;
    }
  };

  /** Reads q, k and v from `wide`, writes the heads' outputs to `normed`. */
  const attend = ({ size, keys, values }: Layer, count: number): void => {
    const depth = size / HEADS;
    const stride = size * 3;
    const scoreStride = Math.ceil(count / 8) * 8;
    const k: Packed = { ...keys, n: count };
    const v: Packed = { ...values, k: count };
    for (let head = 0; head < HEADS; head++) {
      const offset = head * depth;
      matrices.pack(k, wide, offset + size, 1, stride);
      matrices.multiply({ values: wide, offset, stride, count }, k, scores);
      softmax(scores, count, scoreStride, count, 1 / Math.sqrt(depth));
      matrices.pack(v, wide, offset + size * 2, stride, 1);
      matrices.multiply(rowsOf(scores, scoreStride, count), v, mixed);
      for (let row = 0; row < count; row++) {
        normed.set(mixed.subarray(row * depth, (row + 1) * depth), row * size + head * depth);
      }
    }
  };

  /** Leaves the attention's output, before its residual, in `narrow`. */
  const attention = (layer: Layer, x: Float32Array, rows: number): void => {
    layerNorm(x, rows, layer.size, layer.norm.scale, layer.norm.bias, normed);
    matrices.multiply(rowsOf(normed, layer.size, rows), layer.qkv, wide);
    attend(layer, rows);
    matrices.multiply(rowsOf(normed, layer.size, rows), layer.output, narrow);
  };

  /** Leaves the filter layer's activations (ReLU) of `state` in `wide`. */
  const widen = (layer: Layer, rows: number): void => {
    layerNorm(state, rows, DIMENSION, layer.filterNorm.scale, layer.filterNorm.bias, normed);
    matrices.multiply(rowsOf(normed, DIMENSION, rows), layer.widen, wide, 0);
  };

  const encode = (tokens: readonly number[]): void => {
    const rows = tokens.length;
    embed(tokens, input);
    matrices.multiply(rowsOf(input, EMBEDDING, rows), residual, state);
    attention(first, input, rows);
    add(state, narrow, rows * DIMENSION);
    widen(first, rows);
    matrices.multiply(rowsOf(wide, FILTER, rows), first.narrow, narrow);
    add(state, narrow, rows * DIMENSION);
    attention(second, state, rows);
    add(state, narrow, rows * DIMENSION);
    widen(second, rows);
    // The last product is linear, and so is the mean over the tokens behind it: the mean goes first.
    matrices.multiply(rowsOf(mean(wide, rows, FILTER), FILTER, 1), second.narrow, narrow);
    add(narrow, mean(state, rows, DIMENSION), DIMENSION);
  };

  return (tokens) => {
    if (tokens.length > MAX_TOKENS)
      throw new RangeError(`${tokens.length} tokens, of at most ${MAX_TOKENS}.`);
    if (tokens.length > 0) encode(tokens);
    else narrow.fill(0);
    matrices.multiply(rowsOf(narrow, DIMENSION, 1), last, state);
    const vector = Float32Array.from(state.subarray(0, DIMENSION), Math.tanh);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    return vector.map((value) => value / length);
  };
}
