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
  range,
  set,
  V128,
  v128,
} from './assemble.ts';
import { multiply, multiplySparse } from './product-kernels.ts';

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
  compileKernels(memory, { multiply, multiplySparse, packRow, normalizeRow, add });
