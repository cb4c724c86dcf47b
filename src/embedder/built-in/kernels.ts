import {
  advance,
  type Code,
  compileKernels,
  countDown,
  defineKernel,
  F32,
  f32,
  f32x4,
  get,
  I32,
  i32,
  i32x4,
  set,
  V128,
  v128,
} from './assemble.ts';

/** Rows of A that one pass of the inner loop covers: A is packed in blocks of this many rows. */
export const ROWS = 4;
/** Columns of W that one pass covers, in vectors of four: W is packed in panels of this many columns. */
export const COLUMNS = 8;

const VECTORS = COLUMNS / 4;

const range = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));
const vectors = (count: number): (typeof V128)[] => range(count, () => V128);

/**
 * `out[r][n] = max(floor, aScale[r] · wScale[n] · Σk a[r][k] · w[k][n] + bias[n])`. `out` is row-major float32 of
 * `panels · COLUMNS` columns; `a` and `w` are packed (`matrices.ts`) in `blocks` and `panels`, K in so many `pairs`.
 *
 * Why 16-bit integers: WebAssembly's float SIMD does 4 multiply-adds in two instructions, with `dot` it is 8. On the same core
 * that is about four times the speed of the float kernels of TensorFlow.js.
 */
const multiply = defineKernel(
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
        const sum = [get(sumOf(row, v)), f32x4.fromIntegers];
        const scaled = [sum, get(aPair), f32x4.mul, v128.load(wScale, v * 16), f32x4.mul];
        const biased = [scaled, v128.load(bias, v * 16), f32x4.add];
        return v128.store(outAt, v * 16, [biased, get(floor), f32x4.splat, f32x4.pmax]);
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

/** The sum of the four lanes. */
const totalOf = (vector: number): Code => [
  ...range(4, (lane) => [get(vector), f32x4.lane(lane)]),
  ...range(3, () => f32.add),
];

/** Runs the body for each `bytes` of a row at `x`, of which there are `count`, with `at` as the pointer to them. */
const forEach = (
  { x, count, at, left }: { x: number; count: number; at: number; left: number },
  bytes: number,
  ...body: Code[]
): Code => [
  [set(at, get(x)), set(left, get(count))],
  countDown(left, body, advance(at, i32.const(bytes))),
];

/**
 * Scales a row of `8 · count` floats at `x` to a Euclidean length of `length` and rounds it to 16-bit integers. Writes them
 * in pairs, the first to `out` and each next one `step` bytes further on, and the factor that scales them back to `scale`.
 */
const packRow = defineKernel(
  { x: I32, count: I32, out: I32, step: I32, scale: I32, length: F32 },
  { at: I32, left: I32, squares: V128, by: V128, pairs: V128, size: F32 },
  (names) => {
    const { out, step, scale, length, at, squares, by, pairs, size } = names;
    const addSquares = (offset: number): Code => {
      const load = v128.load(at, offset);
      return set(squares, get(squares), load, load, f32x4.mul, f32x4.add);
    };
    const integers = (offset: number): Code => [
      [v128.load(at, offset), get(by), f32x4.mul, f32x4.nearest],
      i32x4.fromFloats,
    ];
    return [
      forEach(names, 32, addSquares(0), addSquares(16)),
      set(size, totalOf(squares), f32.sqrt),
      f32.store(scale, [get(size), get(length), f32.div]),
      // Of a row of zeros this is infinite, and zero times infinity becomes 0 as an integer.
      set(by, get(length), get(size), f32.div, f32x4.splat),
      forEach(
        names,
        32,
        set(pairs, integers(0), integers(16), i32x4.narrow),
        range(4, (lane) => [v128.storeLane(out, pairs, lane), advance(out, get(step))]),
      ),
    ];
  },
);

/** Layer normalization of a row of `4 · count` floats: y[i] = scale[i] · (x[i] − mean) / √(variance + epsilon) + bias[i]. */
const normalizeRow = defineKernel(
  { x: I32, count: I32, scale: I32, bias: I32, y: I32, epsilon: F32 },
  { at: I32, left: I32, sum: V128, mean: V128, by: V128, centred: V128 },
  (names) => {
    const { count, scale, bias, y, epsilon, at, sum, mean, by, centred } = names;
    const meanOf = (vector: number): Code => [
      totalOf(vector),
      [get(count), i32.const(4), i32.mul, f32.fromInteger],
      f32.div,
    ];
    const centre = set(centred, v128.load(at), get(mean), f32x4.sub);
    const scaled: Code = [get(centred), get(by), f32x4.mul, v128.load(scale), f32x4.mul];
    return [
      forEach(names, 16, set(sum, get(sum), v128.load(at), f32x4.add)),
      set(mean, meanOf(sum), f32x4.splat),
      set(sum, v128.zero),
      forEach(
        names,
        16,
        centre,
        set(sum, get(sum), get(centred), get(centred), f32x4.mul, f32x4.add),
      ),
      set(by, f32.const(1), meanOf(sum), get(epsilon), f32.add, f32.sqrt, f32.div, f32x4.splat),
      forEach(
        names,
        16,
        centre,
        v128.store(y, 0, [scaled, v128.load(bias), f32x4.add]),
        [scale, bias, y].map((pointer) => advance(pointer, i32.const(16))),
      ),
    ];
  },
);

/** Adds `4 · count` floats at `x` to those at `y`. */
const add = defineKernel({ y: I32, x: I32, count: I32 }, {}, ({ y, x, count }) =>
  countDown(
    count,
    v128.store(y, 0, [v128.load(y), v128.load(x), f32x4.add]),
    [y, x].map((pointer) => advance(pointer, i32.const(16))),
  ),
);

/** Compiles the kernels for a memory. Their pointers are byte offsets into it; all counts must be above zero. */
export const compileModelKernels = (memory: WebAssembly.Memory) =>
  compileKernels(memory, { multiply, packRow, normalizeRow, add });
