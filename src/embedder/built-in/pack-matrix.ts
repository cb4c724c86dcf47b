import { COLUMNS, compileGemm, ROWS } from './gemm-kernel.ts';

/** A right-hand matrix in the kernel's memory. `data` (16-bit panels), `scale` (by column) and `bias` are byte offsets. */
export type Packed = { k: number; n: number; data: number; scale: number; bias: number };

/** `count` rows of float32 values; the first begins at `offset`, each next one `stride` further on. */
export type MatrixRows = { values: Float32Array; offset: number; stride: number; count: number };

/**
 * Every vector is scaled to this Euclidean length before it is rounded to 16 bits. No element can then exceed 32,767, and
 * by Cauchy-Schwarz no dot product of two can exceed 2³¹: the 32-bit sums never overflow, whatever the text.
 */
const LENGTH = 32_767;

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Rounds half up. Adding a bias and truncating is much faster than `Math.round`. */
const round = (value: number): number => ((value + 32_768.5) | 0) - 32_768;

/** The factor that scales a vector of `count` values, `step` apart, to `LENGTH`; 0 for a vector of zeros. */
function scaling(values: Float32Array, start: number, count: number, step: number): number {
  let squares = 0;
  for (let i = 0; i < count; i++) squares += values[start + i * step]! ** 2;
  return squares === 0 ? 0 : LENGTH / Math.sqrt(squares);
}

/**
 * Creates a multiplier with `bytes` of memory, allocated once. Left-hand matrices may have up to `maxRows` rows
 * and `maxRows · maxK` values.
 */
export function createMultiplier(bytes: number, maxRows: number, maxK: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });
  const gemm = compileGemm(memory);
  const integers = new Int16Array(memory.buffer);
  const pairs = new Int32Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  let used = 0;
  const allocate = (size: number): number => {
    const start = used;
    used += roundUp(size, 16);
    if (used > bytes) throw new RangeError(`The multiplier needs more than its ${bytes} bytes.`);
    return start;
  };
  const left = allocate(roundUp(maxRows, ROWS) * roundUp(maxK, 2) * 2);
  const leftScale = allocate(roundUp(maxRows, ROWS) * 4);

  /** Reserves memory for a right-hand matrix of up to `k` × `n` with a bias of zero. */
  const reserve = (k: number, n: number): Packed => {
    const columns = roundUp(n, COLUMNS);
    return {
      k,
      n,
      data: allocate(roundUp(k, 2) * columns * 2),
      scale: allocate(columns * 4),
      bias: allocate(columns * 4),
    };
  };

  /** Packs W, whose element (k, n) is `values[offset + k · kStride + n · nStride]`, into the memory of `target`. */
  const pack = (
    target: Packed,
    values: Float32Array,
    offset: number,
    kStride: number,
    nStride: number,
  ): void => {
    const columns = roundUp(target.n, COLUMNS);
    const depth = roundUp(target.k, 2);
    integers.fill(0, target.data / 2, target.data / 2 + depth * columns);
    floats.fill(0, target.scale / 4, target.scale / 4 + columns);
    for (let n = 0; n < target.n; n++) {
      const start = offset + n * nStride;
      const by = scaling(values, start, target.k, kStride);
      floats[target.scale / 4 + n] = by === 0 ? 0 : 1 / by;
      const panel = target.data / 2 + Math.floor(n / COLUMNS) * depth * COLUMNS + (n % COLUMNS) * 2;
      for (let k = 0; k < target.k; k++) {
        integers[panel + (k >> 1) * COLUMNS * 2 + (k & 1)] = round(
          values[start + k * kStride]! * by,
        );
      }
    }
  };

  const packLeft = ({ values, offset, stride, count }: MatrixRows, k: number): void => {
    const depth = roundUp(k, 2) / 2;
    const padded = roundUp(count, ROWS);
    if (padded > count)
      pairs.fill(0, left / 4 + (padded - ROWS) * depth, left / 4 + padded * depth);
    for (let row = 0; row < count; row++) {
      const start = offset + row * stride;
      const by = scaling(values, start, k, 1);
      floats[leftScale / 4 + row] = by === 0 ? 0 : 1 / by;
      let target = left / 4 + Math.floor(row / ROWS) * ROWS * depth + (row % ROWS);
      const end = start + (k & ~1);
      for (let i = start; i < end; i += 2) {
        pairs[target] = (round(values[i]! * by) & 0xffff) | (round(values[i + 1]! * by) << 16);
        target += ROWS;
      }
      if (k & 1) pairs[target] = round(values[end]! * by) & 0xffff;
    }
  };

  /** Reserves memory for a product of up to `rows` × `n`. */
  const output = (rows: number, n: number): Float32Array => {
    const size = roundUp(rows, ROWS) * roundUp(n, COLUMNS);
    const start = allocate(size * 4) / 4;
    return floats.subarray(start, start + size);
  };

  /** Writes `max(floor, rows · W + bias)` to `out`, row-major; its stride is W's n rounded up to `COLUMNS`. */
  const multiply = (rows: MatrixRows, w: Packed, out: Float32Array, floor = -Infinity): void => {
    packLeft(rows, w.k);
    const blocks = Math.ceil(rows.count / ROWS);
    const depth = Math.ceil(w.k / 2);
    gemm(
      left,
      w.data,
      out.byteOffset,
      leftScale,
      w.scale,
      w.bias,
      blocks,
      Math.ceil(w.n / COLUMNS),
      depth,
      floor,
    );
  };

  /** Loads a right-hand matrix and its bias for good. `values` are row-major, `k` × `n`. */
  const load = (values: Float32Array, bias: Float32Array, k: number, n: number): Packed => {
    const packed = reserve(k, n);
    pack(packed, values, 0, n, 1);
    floats.set(bias, packed.bias / 4);
    return packed;
  };

  return { reserve, pack, load, output, multiply };
}
