import { compileModelKernels } from './kernels.ts';
import { COLUMNS, ROWS, SPARSE_PANELS } from './product-kernels.ts';

/** A right-hand matrix in the memory of the matrices. `data` (16-bit panels), `scale` (by column) and `bias` are byte offsets. */
export type Packed = { k: number; n: number; data: number; scale: number; bias: number };

/**
 * `count` rows of float32 values in the memory of the matrices; the first begins at `offset`, each next one `stride` further on.
 * A row is read up to the next multiple of 8 values: what follows its own values must be zeros.
 */
export type MatrixRows = { values: Float32Array; offset: number; stride: number; count: number };

/**
 * Every vector is scaled to this Euclidean length before it is rounded to 16 bits. No element can then exceed 32,767, and
 * by Cauchy-Schwarz no dot product of two can exceed 2³¹: the 32-bit sums never overflow, whatever the text.
 */
const LENGTH = 32_767;

/** Added to the variance in a layer normalization. */
const EPSILON = 1e-6;

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** A row of `k` values takes this many pairs of 16-bit integers. */
const pairsOf = (k: number): number => roundUp(k, 8) / 2;

/** Scale and bias of a layer normalization. */
export type Norm = { scale: Float32Array; bias: Float32Array };

/**
 * Creates what computes with matrices in `bytes` of memory, allocated once. Rows may have up to `maxK` values; left-hand matrices,
 * up to `maxRows` rows.
 */
export function createMatrices(bytes: number, maxRows: number, maxK: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });
  const kernels = compileModelKernels(memory);
  const integers = new Int16Array(memory.buffer);
  const words = new Int32Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  let used = 0;
  const allocate = (size: number): number => {
    const start = used;
    used += roundUp(size, 16);
    if (used > bytes) throw new RangeError(`The matrices need more than their ${bytes} bytes.`);
    return start;
  };
  const left = allocate(roundUp(maxRows, ROWS) * pairsOf(maxK) * 4);
  const leftScale = allocate(roundUp(maxRows, ROWS) * 4);
  const sparse = allocate(maxRows * pairsOf(maxK) * 8);
  const sparseCounts = allocate(maxRows * 4);

  /** The pointer to a value of an array in this memory. */
  const addressOf = (values: Float32Array, index = 0): number => {
    if (values.buffer !== memory.buffer)
      throw new RangeError('These values are in another memory.');
    return values.byteOffset + index * 4;
  };

  /** Reserves memory for `size` floats, all zero. */
  const reserveFloats = (size: number): Float32Array => {
    const start = allocate(size * 4) / 4;
    return floats.subarray(start, start + size);
  };

  /** Reserves memory for a right-hand matrix of up to `k` × `n` with a bias of zero. */
  const reserve = (k: number, n: number): Packed => {
    const columns = roundUp(n, COLUMNS);
    return {
      k,
      n,
      data: allocate(pairsOf(k) * columns * 4),
      scale: allocate(columns * 4),
      bias: allocate(columns * 4),
    };
  };

  /** Packs rows of `k` values into blocks of `height` rows. The last block is filled up with rows of zeros. */
  const packRows = (
    rows: MatrixRows,
    k: number,
    into: { data: number; scale: number; height: number },
  ): void => {
    const { values, offset, stride, count } = rows;
    const { data, scale, height } = into;
    const block = pairsOf(k) * height * 4;
    const rest = count % height;
    if (rest > 0) {
      const last = data + Math.floor(count / height) * block;
      integers.fill(0, last / 2, (last + block) / 2);
      floats.fill(0, scale / 4 + count, scale / 4 + roundUp(count, height));
    }
    for (let row = 0; row < count; row++) {
      const x = addressOf(values, offset + row * stride);
      const out = data + Math.floor(row / height) * block + (row % height) * 4;
      kernels.packRow(x, pairsOf(k) / 4, out, height * 4, scale + row * 4, LENGTH);
    }
  };

  const panel = reserveFloats(COLUMNS * pairsOf(maxK) * 2);

  /** Packs W, whose element (k, n) is `values[offset + k · stride + n]`, into the memory of `target`. */
  const pack = (target: Packed, values: Float32Array, offset: number, stride: number): void => {
    const { k, n, data, scale } = target;
    const depth = pairsOf(k) * 2;
    panel.fill(0, 0, COLUMNS * depth);
    for (let first = 0; first < n; first += COLUMNS) {
      const count = Math.min(COLUMNS, n - first);
      for (let row = 0; row < k; row++) {
        const from = offset + row * stride + first;
        for (let column = 0; column < count; column++) {
          panel[column * depth + row] = values[from + column]!;
        }
      }
      packRows({ values: panel, offset: 0, stride: depth, count }, k, {
        data: data + first * depth * 2,
        scale: scale + first * 4,
        height: COLUMNS,
      });
    }
  };

  /** Packs W, whose columns are these rows. */
  const packTransposed = (target: Packed, rows: MatrixRows): void =>
    packRows(rows, target.k, { ...target, height: COLUMNS });

  /** Reserves memory for a product of up to `rows` × `n`. */
  const output = (rows: number, n: number): Float32Array =>
    reserveFloats(roundUp(rows, ROWS) * roundUp(n, COLUMNS));

  /** Writes `max(floor, rows · W + bias)` to `out`, row-major; its stride is W's n rounded up to `COLUMNS`. */
  const multiply = (rows: MatrixRows, w: Packed, out: Float32Array, floor = -Infinity): void => {
    packRows(rows, w.k, { data: left, scale: leftScale, height: ROWS });
    kernels.multiply(
      left,
      w.data,
      addressOf(out),
      leftScale,
      w.scale,
      w.bias,
      Math.ceil(rows.count / ROWS),
      Math.ceil(w.n / COLUMNS),
      pairsOf(w.k),
      floor,
    );
  };

  /** Lists each packed row's first pair and all others that are not zero, each with its place in a panel. */
  const listPairs = (rows: number, pairs: number): void => {
    for (let row = 0; row < rows; row++) {
      const from = left / 4 + row * pairs;
      const start = sparse / 4 + row * pairs * 2;
      let end = start;
      for (let pair = 0; pair < pairs; pair++) {
        const value = words[from + pair]!;
        if (value === 0 && pair > 0) continue;
        words[end++] = value;
        words[end++] = pair * COLUMNS * 4;
      }
      words[sparseCounts / 4 + row] = (end - start) / 2;
    }
  };

  /**
   * `multiply` for rows that are mostly zeros, such as those after a ReLU, with the same result.
   * @throws RangeError if W's columns do not fill groups of `SPARSE_PANELS` panels
   */
  const multiplySparse = (rows: MatrixRows, w: Packed, out: Float32Array): void => {
    const groups = w.n / (COLUMNS * SPARSE_PANELS);
    if (!Number.isInteger(groups))
      throw new RangeError(`${w.n} columns are no multiple of ${COLUMNS * SPARSE_PANELS}.`);
    packRows(rows, w.k, { data: left, scale: leftScale, height: 1 });
    listPairs(rows.count, pairsOf(w.k));
    kernels.multiplySparse(
      sparse,
      w.data,
      addressOf(out),
      leftScale,
      w.scale,
      w.bias,
      sparseCounts,
      rows.count,
      groups,
      pairsOf(w.k),
    );
  };

  /** Loads a right-hand matrix and its bias for good. `values` are row-major, `k` × `n`. */
  const load = (values: Float32Array, bias: Float32Array, k: number, n: number): Packed => {
    const packed = reserve(k, n);
    pack(packed, values, 0, n);
    floats.set(bias, packed.bias / 4);
    return packed;
  };

  /** Copies values into this memory for good. */
  const keep = (values: Float32Array): Float32Array => {
    const kept = reserveFloats(values.length);
    kept.set(values);
    return kept;
  };

  /** Writes the layer normalization of the first `count` rows of `x`, each of `size` values, to `y`. */
  const normalize = (
    { scale, bias }: Norm,
    x: Float32Array,
    y: Float32Array,
    { count, size }: { count: number; size: number },
  ): void => {
    for (let at = 0; at < count * size; at += size) {
      const [from, to] = [addressOf(x, at), addressOf(y, at)];
      kernels.normalizeRow(from, size / 4, addressOf(scale), addressOf(bias), to, EPSILON);
    }
  };

  /** Adds the first `size` values of `x`, a multiple of 4, to those of `y`. */
  const add = (y: Float32Array, x: Float32Array, size: number): void =>
    kernels.add(addressOf(y), addressOf(x), size / 4);

  return {
    reserve,
    reserveFloats,
    keep,
    pack,
    packTransposed,
    load,
    output,
    multiply,
    multiplySparse,
    normalize,
    add,
  };
}
