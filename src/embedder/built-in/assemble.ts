/**
 * Assembles WebAssembly functions, so that the repository contains no binary: as much of the instruction set as the kernels
 * of the embedder need. Opcodes: https://webassembly.github.io/spec/core/appendix/index-instructions.html
 */

/** Bytes, nested as it suits the one who writes them. */
export type Code = number | Code[];

/** What `each` makes of each number below `count`. */
export const range = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;
type ValueType = typeof I32 | typeof F32 | typeof V128;

/** A function without a result. Locals start at zero. */
export type Kernel = { params: ValueType[]; locals: ValueType[]; body: Code };

type Types = Record<string, ValueType | ValueType[]>;
/** The index of each parameter or local by its name; of a list of locals, the indexes. */
type Indexes<T extends Types> = {
  [Name in keyof T]: T[Name] extends ValueType[] ? number[] : number;
};

/** Defines a function whose code names its parameters and locals. */
export function defineKernel<Params extends Record<string, ValueType>, Locals extends Types>(
  params: Params,
  locals: Locals,
  code: (names: Indexes<Params & Locals>) => Code,
): Kernel {
  let count = 0;
  const indexes = Object.entries<ValueType | ValueType[]>({ ...params, ...locals }).map(
    ([name, type]) => [name, Array.isArray(type) ? type.map(() => count++) : count++],
  );
  return {
    params: Object.values(params),
    locals: Object.values(locals).flat(),
    body: code(Object.fromEntries(indexes) as Indexes<Params & Locals>),
  };
}

const unsigned = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
const signed = (value: number): number[] =>
  value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
const simd = (opcode: number): Code => [0xfd, unsigned(opcode)];
/** Where an instruction reads or writes: `offset` bytes after the pointer; the alignment is only a hint. */
const place = (offset: number): Code => [2, unsigned(offset)];

export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number, ...value: Code[]): Code => [value, 0x21, unsigned(local)];

export const i32 = {
  const: (value: number): Code => [0x41, signed(value)],
  load: (pointer: number, offset = 0): Code => [get(pointer), 0x28, place(offset)],
  add: 0x6a,
  mul: 0x6c,
};

export const f32 = {
  const: (value: number): Code => [0x43, [...new Uint8Array(Float32Array.of(value).buffer)]],
  store: (pointer: number, value: Code): Code => [get(pointer), value, 0x38, place(0)],
  fromInteger: 0xb2,
  sqrt: 0x91,
  add: 0x92,
  div: 0x95,
};

export const v128 = {
  zero: [simd(0x0c), new Array<number>(16).fill(0)] as Code,
  load: (pointer: number, offset = 0): Code => [get(pointer), simd(0x00), place(offset)],
  /** Loads 32 bits into all four lanes. */
  loadSplat: (pointer: number, offset = 0): Code => [get(pointer), simd(0x09), place(offset)],
  store: (pointer: number, offset: number, value: Code): Code => [
    get(pointer),
    value,
    simd(0x0b),
    place(offset),
  ],
  /** Stores one lane of 32 bits. */
  storeLane: (pointer: number, vector: number, lane: number): Code => [
    get(pointer),
    get(vector),
    simd(0x5a),
    place(0),
    lane,
  ],
};

export const f32x4 = {
  splat: simd(0x13),
  lane: (index: number): Code => [simd(0x1f), index],
  nearest: simd(0x6a),
  add: simd(0xe4),
  sub: simd(0xe5),
  mul: simd(0xe6),
  /** The second operand where the first is smaller. */
  pmax: simd(0xeb),
  fromIntegers: simd(0xfa),
};

export const i32x4 = {
  add: simd(0xae),
  /** Multiplies the 16-bit lanes of two vectors and adds neighbours: eight multiplications in one instruction. */
  dot: simd(0xba),
  /** NaN becomes 0. */
  fromFloats: simd(0xf8),
  /** Eight lanes of 16 bits from two vectors of 32 bits. */
  narrow: simd(0x85),
};

/** Moves a pointer by so many bytes. */
export const advance = (pointer: number, by: Code): Code => set(pointer, get(pointer), by, i32.add);

const LOOP: Code = [0x03, 0x40];
const TEE = 0x22;
/** Back to the start of the innermost loop, if the value is not zero. */
const REPEAT_IF: Code = [0x0d, 0];
const END = 0x0b;

/** Runs the body `counter` times and leaves the counter at zero. It must start above zero. */
export const countDown = (counter: number, ...body: Code[]): Code => [
  LOOP,
  body,
  [get(counter), i32.const(-1), i32.add, TEE, unsigned(counter)],
  REPEAT_IF,
  END,
];

const bytesOf = (...code: Code[]): number[] => code.flat(20) as number[];
/** Bytes after their count. */
const counted = (...content: Code[]): Code => {
  const bytes = bytesOf(...content);
  return [unsigned(bytes.length), bytes];
};
const section = (id: number, content: Code): Code => [id, counted(content)];
const vector = (items: readonly Code[]): Code => [unsigned(items.length), [...items]];
const name = (text: string): Code => vector([...Buffer.from(text)]);

/**
 * Compiles functions for a memory.
 * @throws WebAssembly.CompileError if the engine has no SIMD
 */
export function compileKernels<Name extends string>(
  memory: WebAssembly.Memory,
  kernels: Record<Name, Kernel>,
): Record<Name, (...parameters: number[]) => void> {
  const names = Object.keys(kernels) as Name[];
  const all: Kernel[] = names.map((key) => kernels[key]);
  const code = ({ locals, body }: Kernel): Code =>
    counted(vector(locals.map((type) => [1, type])), body, END);
  const bytes = bytesOf(
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, vector(all.map(({ params }) => [0x60, vector(params), 0]))),
    section(2, vector([[name('host'), name('memory'), 2, 0, 1]])),
    section(3, vector(all.map((_, index) => index))),
    section(7, vector(names.map((key, index) => [name(key), 0, index]))),
    section(10, vector(all.map(code))),
  );
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  return exports as Record<Name, (...parameters: number[]) => void>;
}
