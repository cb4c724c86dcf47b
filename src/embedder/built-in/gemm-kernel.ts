/**
 * A matrix multiplication in WebAssembly SIMD, assembled here byte by byte so that the repository contains no binary.
 *
 * Why 16-bit integers: WebAssembly's float SIMD does 4 multiply-adds in two instructions, `i32x4.dot_i16x8_s` does 8 in
 * one. On the same core that is about four times the speed of the float kernels of TensorFlow.js.
 */

/** Rows of A that one pass of the inner loop covers: A is packed in blocks of this many rows. */
export const ROWS = 4;
/** Columns of W that one pass covers, in vectors of four: W is packed in panels of this many columns. */
export const COLUMNS = 8;

/** Pointers are byte offsets into the memory; `a` and `w` are packed, see `pack-matrix.ts`. `pairs` is K / 2. */
export type Gemm = (
  a: number,
  w: number,
  out: number,
  aScale: number,
  wScale: number,
  bias: number,
  blocks: number,
  panels: number,
  pairs: number,
  floor: number,
) => void;

type Code = number | Code[];

const VECTORS = COLUMNS / 4;
const [A, W, OUT, ASCALE, WSCALE, BIAS, BLOCKS, PANELS, PAIRS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;
const FLOOR = 9;
const [STRIDE, BLOCK, PAIR, AP, WP, OP, SP] = [10, 11, 12, 13, 14, 15, 16] as const;
const ACC = 17;
const WV = ACC + ROWS * VECTORS;
const AV = WV + VECTORS;

const unsigned = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
const signed = (value: number): number[] =>
  value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
const section = (id: number, ...content: Code[]): Code => {
  const bytes = content.flat(9) as number[];
  return [id, unsigned(bytes.length), bytes];
};
const range = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

const get = (local: number): Code => [0x20, local];
const set = (local: number, ...value: Code[]): Code => [value, 0x21, local];
const i32 = (value: number): Code => [0x41, signed(value)];
const advance = (local: number, by: Code): Code => set(local, get(local), by, 0x6a);
const simd = (opcode: number): Code => [0xfd, unsigned(opcode)];
const load = (pointer: number, offset: number): Code => [
  get(pointer),
  simd(0x00),
  4,
  unsigned(offset),
];
const splat = (pointer: number, offset: number): Code => [
  get(pointer),
  simd(0x09),
  2,
  unsigned(offset),
];
const store = (pointer: number, offset: number, value: Code): Code => [
  get(pointer),
  value,
  simd(0x0b),
  4,
  unsigned(offset),
];
/** Runs the body `counter` times and leaves the counter at zero. It must start above zero. */
const countDown = (counter: number, ...body: Code[]): Code => [
  [0x03, 0x40],
  body,
  [get(counter), i32(1), 0x6b, 0x22, counter],
  [0x0d, 0],
  0x0b,
];
const acc = (row: number, vector: number) => ACC + row * VECTORS + vector;

// Not unrolled: with more than one pair per pass V8 spills the accumulators, and the kernel takes 1.6 times as long.
const dots: Code = [
  range(VECTORS, (v) => set(WV + v, load(WP, v * 16))),
  range(
    ROWS,
    (r): Code => [
      set(AV, splat(AP, r * 4)),
      range(VECTORS, (v) =>
        set(acc(r, v), get(acc(r, v)), get(AV), get(WV + v), simd(0xba), simd(0xae)),
      ),
    ],
  ),
];

const writeBlock = range(
  ROWS,
  (r): Code => [
    set(AV, splat(SP, r * 4)),
    range(VECTORS, (v) => {
      const scaled: Code = [
        get(acc(r, v)),
        simd(0xfa),
        get(AV),
        simd(0xe6),
        load(WSCALE, v * 16),
        simd(0xe6),
      ];
      const biased: Code = [scaled, load(BIAS, v * 16), simd(0xe4)];
      return store(OP, v * 16, [biased, get(FLOOR), simd(0x13), simd(0xeb)]);
    }),
    advance(OP, get(STRIDE)),
  ],
);

const body: Code = [
  set(STRIDE, get(PANELS), i32(COLUMNS * 4), 0x6c),
  countDown(
    PANELS,
    set(BLOCK, get(BLOCKS)),
    set(AP, get(A)),
    set(OP, get(OUT)),
    set(SP, get(ASCALE)),
    countDown(
      BLOCK,
      range(ROWS * VECTORS, (index) => set(ACC + index, simd(0x0c), new Array<number>(16).fill(0))),
      set(WP, get(W)),
      set(PAIR, get(PAIRS)),
      countDown(PAIR, dots, advance(AP, i32(ROWS * 4)), advance(WP, i32(VECTORS * 16))),
      writeBlock,
      advance(SP, i32(ROWS * 4)),
    ),
    set(W, get(WP)),
    [OUT, WSCALE, BIAS].map((pointer) => advance(pointer, i32(VECTORS * 16))),
  ),
  0x0b,
];

/**
 * Compiles the kernel for a memory: `out[r][n] = max(floor, aScale[r] · wScale[n] · Σk a[r][k] · w[k][n] + bias[n])`,
 * `out` being row-major float32 of `panels · COLUMNS` columns. Throws `WebAssembly.CompileError` if the engine has no SIMD.
 */
export function compileGemm(memory: WebAssembly.Memory): Gemm {
  const locals: Code = [2, 7, 0x7f, unsigned(AV - ACC + 1), 0x7b];
  const code = [locals, body].flat(20) as number[];
  const text = (value: string): Code => [value.length, [...Buffer.from(value)]];
  const module = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [1, 0x60, 10, new Array<number>(9).fill(0x7f), 0x7d, 0]),
    section(2, [1, text('e'), text('m'), 2, 0, 1]),
    section(3, [1, 0]),
    section(7, [1, text('f'), 0, 0]),
    section(10, [1, unsigned(code.length), code]),
  ].flat(20) as number[];
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(module)), {
    e: { m: memory },
  });
  return exports.f as Gemm;
}
