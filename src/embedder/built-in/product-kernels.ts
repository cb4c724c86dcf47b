import {
  advance,
  type Code,
  countDown,
  defineKernel,
  F32,
  f32x4,
  get,
  I32,
  i32,
  i32x4,
  range,
  set,
  V128,
  v128,
} from './assemble.ts';

/** Rows of A that one pass of the inner loop covers: A is packed in blocks of this many rows. */
export const ROWS = 4;
/** Columns of W that one pass covers, in vectors of four: W is packed in panels of this many columns. */
export const COLUMNS = 8;

const VECTORS = COLUMNS / 4;

const vectors = (count: number): (typeof V128)[] => range(count, () => V128);

/** A sum as a float with its bias. @param aScale a vector; `wScale` and `bias`: pointers, read at the offset */
const scaled = (
  sum: number,
  { aScale, wScale, bias }: { aScale: number; wScale: number; bias: number },
  offset: number,
): Code => {
  const product = [get(sum), f32x4.fromIntegers, get(aScale), f32x4.mul];
  return [product, v128.load(wScale, offset), f32x4.mul, v128.load(bias, offset), f32x4.add];
};

/**
 * `out[r][n] = max(floor, aScale[r] · wScale[n] · Σk a[r][k] · w[k][n] + bias[n])`. `out` is row-major float32 of
 * `panels · COLUMNS` columns; `a` and `w` are packed (`matrices.ts`) in `blocks` and `panels`, K in so many `pairs`.
 *
 * Why 16-bit integers: WebAssembly's float SIMD does 4 multiply-adds in two instructions, with `dot` it is 8. On the same core
 * that is about four times the speed of the float kernels of TensorFlow.js.
 */
export const multiply = defineKernel(
  {
    a: I32,
    w: I32,
    out: I32,
    aScale: I32,
    wScale: I32,
    bias: I32,
    blocks: I32,
    panels: I32,
    pairs: I32,
    floor: F32,
  },
  {
    stride: I32,
    block: I32,
    pair: I32,
    aAt: I32,
    wAt: I32,
    outAt: I32,
    scaleAt: I32,
    aPair: V128,
    wPairs: vectors(VECTORS),
    sums: vectors(ROWS * VECTORS),
  },
  (names) => {
    const { a, w, out, aScale, wScale, bias, blocks, panels, pairs, floor } = names;
    const { stride, block, pair, aAt, wAt, outAt, scaleAt, aPair, wPairs, sums } = names;
    const sumOf = (row: number, v: number): number => sums[row * VECTORS + v]!;

    // Not unrolled: with more than one pair per pass V8 spills the accumulators, and the kernel takes 1.6 times as long.
    const addPair: Code = [
      wPairs.map((wPair, v) => set(wPair, v128.load(wAt, v * 16))),
      range(ROWS, (row) => [
        set(aPair, v128.loadSplat(aAt, row * 4)),
        wPairs.map((wPair, v) => {
          const sum = sumOf(row, v);
          return set(sum, get(sum), get(aPair), get(wPair), i32x4.dot, i32x4.add);
        }),
      ]),
    ];
    const writeBlock = range(ROWS, (row) => [
      set(aPair, v128.loadSplat(scaleAt, row * 4)),
      range(VECTORS, (v) => {
        const value = scaled(sumOf(row, v), { ...names, aScale: aPair }, v * 16);
        return v128.store(outAt, v * 16, [value, get(floor), f32x4.splat, f32x4.pmax]);
      }),
      advance(outAt, get(stride)),
    ]);
    return [
      set(stride, get(panels), i32.const(COLUMNS * 4), i32.mul),
      countDown(
        panels,
        [
          set(block, get(blocks)),
          set(aAt, get(a)),
          set(outAt, get(out)),
          set(scaleAt, get(aScale)),
        ],
        countDown(
          block,
          sums.map((sum) => set(sum, v128.zero)),
          [set(wAt, get(w)), set(pair, get(pairs))],
          countDown(pair, addPair, [
            advance(aAt, i32.const(ROWS * 4)),
            advance(wAt, i32.const(VECTORS * 16)),
          ]),
          writeBlock,
          advance(scaleAt, i32.const(ROWS * 4)),
        ),
        set(w, get(wAt)),
        [out, wScale, bias].map((pointer) => advance(pointer, i32.const(VECTORS * 16))),
      ),
    ];
  },
);

/** Panels of W that one pass of `multiplySparse` covers. */
export const SPARSE_PANELS = 2;

/**
 * `multiply` without `floor`, for rows that are mostly zeros: `a` lists the pairs of each row that are not zero, every pair followed
 * by its place in a panel of W, in bytes. A row has room for `pairs` of them; `counts` tells how many there are, one at least. W's
 * panels come in `groups` of `SPARSE_PANELS`. The sums are those of `multiply`.
 */
export const multiplySparse = defineKernel(
  {
    a: I32,
    w: I32,
    out: I32,
    aScale: I32,
    wScale: I32,
    bias: I32,
    counts: I32,
    rows: I32,
    groups: I32,
    pairs: I32,
  },
  {
    stride: I32,
    panel: I32,
    row: I32,
    left: I32,
    aRow: I32,
    aAt: I32,
    wAt: I32,
    outAt: I32,
    scaleAt: I32,
    countAt: I32,
    value: V128,
    sums: vectors(SPARSE_PANELS * VECTORS),
  },
  (names) => {
    const { a, w, out, aScale, wScale, bias, counts, rows, groups, pairs } = names;
    const { stride, panel, row, left, aRow, aAt, wAt } = names;
    const { outAt, scaleAt, countAt, value, sums } = names;
    const addPair: Code = [
      set(value, v128.loadSplat(aAt)),
      set(wAt, get(w), i32.load(aAt, 4), i32.add),
      range(SPARSE_PANELS, (at) => [
        range(VECTORS, (v) => {
          const sum = sums[at * VECTORS + v]!;
          return set(sum, get(sum), get(value), v128.load(wAt, v * 16), i32x4.dot, i32x4.add);
        }),
        advance(wAt, get(panel)),
      ]),
    ];
    const writeRow = [
      set(value, v128.loadSplat(scaleAt)),
      sums.map((sum, v) =>
        v128.store(outAt, v * 16, scaled(sum, { ...names, aScale: value }, v * 16)),
      ),
    ];
    const width = SPARSE_PANELS * VECTORS * 16;
    return [
      set(stride, get(groups), i32.const(width), i32.mul),
      set(panel, get(pairs), i32.const(COLUMNS * 4), i32.mul),
      countDown(
        groups,
        [set(row, get(rows)), set(aRow, get(a)), set(outAt, get(out))],
        [set(scaleAt, get(aScale)), set(countAt, get(counts))],
        countDown(
          row,
          sums.map((sum) => set(sum, v128.zero)),
          [set(aAt, get(aRow)), set(left, i32.load(countAt))],
          countDown(left, addPair, advance(aAt, i32.const(8))),
          writeRow,
          [scaleAt, countAt].map((pointer) => advance(pointer, i32.const(4))),
          advance(aRow, [get(pairs), i32.const(8), i32.mul]),
          advance(outAt, get(stride)),
        ),
        range(SPARSE_PANELS, () => advance(w, get(panel))),
        [out, wScale, bias].map((pointer) => advance(pointer, i32.const(width))),
      ),
    ];
  },
);
