import { describe, expect, it } from 'vitest';
import { createMatrices } from '../../../src/embedder/built-in/matrices.ts';

const fill = (size: number, value: (index: number) => number) =>
  Float32Array.from({ length: size }, (_, index) => value(index));

const roundUp = (size: number): number => Math.ceil(size / 8) * 8;

/** The largest error of a product, as a share of the lengths of the two vectors it is made of. */
function worstError(a: Float32Array, w: Float32Array, rows: number, k: number, n: number): number {
  const matrices = createMatrices(8 * 2 ** 20, rows, k);
  const bias = fill(n, (i) => i);
  const out = matrices.output(rows, n);
  const depth = roundUp(k);
  const values = matrices.reserveFloats(rows * depth);
  for (let row = 0; row < rows; row++) values.set(a.subarray(row * k, (row + 1) * k), row * depth);
  const left = { values, offset: 0, stride: depth, count: rows };
  matrices.multiply(left, matrices.load(w, bias, k, n), out);
  const stride = roundUp(n);
  let worst = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < n; column++) {
      let [sum, leftSquares, rightSquares] = [0, 0, 0];
      for (let i = 0; i < k; i++) {
        const [x, y] = [a[row * k + i]!, w[i * n + column]!];
        sum += x * y;
        leftSquares += x * x;
        rightSquares += y * y;
      }
      const error = Math.abs(out[row * stride + column]! - column - sum);
      worst = Math.max(worst, error / (Math.sqrt(leftSquares * rightSquares) || 1));
    }
  }
  return worst;
}

describe('the 16-bit multiplier', () => {
  it.each([
    ['waves', (i: number) => Math.sin(i * 1.7), (i: number) => Math.cos(i * 0.3)],
    ['equal vectors, the longest sums', () => 3, () => 5],
    ['opposed vectors', () => 3, () => -5],
    [
      'a single large value',
      (i: number) => (i % 100 === 7 ? 1e6 : 1e-3),
      (i: number) => (i % 90 === 7 ? 1e6 : 0),
    ],
    ['zeros', () => 0, () => 0],
  ])('the multiplier has an error below 1e-3 for %s, whatever the sizes', (_, a, w) => {
    for (const [rows, k, n] of [
      [1, 1, 1],
      [3, 7, 5],
      [4, 64, 8],
      [9, 129, 17],
      [5, 1536, 24],
    ] as const) {
      expect(
        worstError(fill(rows * k, a), fill(k * n, w), rows, k, n),
        `${rows}×${k}×${n}`,
      ).toBeLessThan(1e-3);
    }
  });

  it.each([
    ['few values', (i: number) => (i % 11 === 3 ? Math.sin(i) : 0)],
    ['only zeros', () => 0],
    ['no zeros', (i: number) => Math.sin(i + 1)],
    ['only the last value of each row', (i: number) => (i % 24 === 23 ? 5 : 0)],
  ])('rows with %s have the same product when their zeros are left out', (_, value) => {
    const [rows, k, n] = [5, 24, 32];
    const matrices = createMatrices(2 ** 20, rows, k);
    const values = matrices.keep(fill(rows * k, value));
    const left = { values, offset: 0, stride: k, count: rows };
    const w = matrices.load(
      fill(k * n, (i) => Math.cos(i)),
      fill(n, (i) => i),
      k,
      n,
    );
    const [dense, sparse] = [matrices.output(rows, n), matrices.output(rows, n)];
    matrices.multiply(left, w, dense);
    matrices.multiplySparse(left, w, sparse);
    expect(sparse.subarray(0, rows * n)).toEqual(dense.subarray(0, rows * n));
    expect(sparse[n - 1]).not.toBe(0);
  });

  it('a matrix whose columns do not fill the groups is refused where zeros are left out', () => {
    const matrices = createMatrices(2 ** 20, 4, 8);
    const w = matrices.load(new Float32Array(64), new Float32Array(8), 8, 8);
    const left = { values: matrices.reserveFloats(8), offset: 0, stride: 8, count: 1 };
    expect(() => matrices.multiplySparse(left, w, matrices.output(4, 8))).toThrow(RangeError);
  });

  it('a matrix can be packed from its columns, too', () => {
    const [rows, k, n] = [5, 16, 11];
    const matrices = createMatrices(2 ** 20, rows, k);
    const values = matrices.keep(fill(rows * k, (i) => Math.sin(i)));
    const columns = matrices.keep(fill(n * k, (i) => Math.cos(i)));
    const transposed = fill(k * n, (i) => columns[(i % n) * k + Math.floor(i / n)]!);
    const left = { values, offset: 0, stride: k, count: rows };
    const outputs = [matrices.output(rows, n), matrices.output(rows, n)] as const;
    const packed = matrices.reserve(k, n);
    matrices.packTransposed(packed, { values: columns, offset: 0, stride: k, count: n });
    matrices.multiply(left, packed, outputs[0]);
    matrices.multiply(left, matrices.load(transposed, new Float32Array(n), k, n), outputs[1]);
    expect(outputs[0]).toEqual(outputs[1]);
    expect(outputs[0].some((value) => value !== 0)).toBe(true);
  });

  it('a small matrix in the place of a larger one gives its own product', () => {
    const matrices = createMatrices(2 ** 20, 9, 129);
    const values = matrices.reserveFloats(9 * 136);
    const packed = matrices.reserve(129, 17);
    const out = matrices.output(9, 17);
    const product = (rows: number, k: number, n: number): number[] => {
      values.fill(0);
      for (let row = 0; row < rows; row++) values.fill(1, row * roundUp(k), row * roundUp(k) + k);
      const w = { ...packed, k, n };
      matrices.pack(w, new Float32Array(k * n).fill(2), 0, n);
      matrices.multiply({ values, offset: 0, stride: roundUp(k), count: rows }, w, out);
      return [...out.subarray(0, n)].map((value) => Math.round(value * 100) / 100);
    };
    expect(product(9, 129, 17)).toEqual(new Array(17).fill(258));
    expect(product(1, 1, 1)).toEqual([2]);
    expect(out[1]).toBe(0);
  });

  it('values outside of the memory are refused', () => {
    const matrices = createMatrices(2 ** 20, 4, 8);
    const w = matrices.load(new Float32Array(64), new Float32Array(8), 8, 8);
    const elsewhere = { values: new Float32Array(8), offset: 0, stride: 8, count: 1 };
    expect(() => matrices.multiply(elsewhere, w, matrices.output(4, 8))).toThrow(RangeError);
  });

  it('the multiplier rejects a matrix that is too large for its memory', () => {
    expect(() => createMatrices(1_000, 100, 100)).toThrow(RangeError);
  });
});
