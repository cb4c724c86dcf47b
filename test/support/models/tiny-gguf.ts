import { writeFile } from 'node:fs/promises';

/** Types of values in a GGUF file. */
const [UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9] as const;
type Value =
  | [typeof UINT32 | typeof INT32 | typeof FLOAT32, number]
  | [typeof BOOL, boolean]
  | [typeof STRING, string];

const WIDTH = 32;
const FILTER = 64;
const ALIGNMENT = 32;
const CONTEXT = 16_384;

const u32 = (value: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
};
const u64 = (value: number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
};
const f32 = (value: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeFloatLE(value);
  return buffer;
};
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

const plain = ([type, value]: Value): Buffer => {
  if (type === STRING) return text(value);
  if (type === BOOL) return Buffer.from([value ? 1 : 0]);
  return type === FLOAT32 ? f32(value) : u32(value);
};
const pair = (key: string, value: Value) => Buffer.concat([text(key), u32(value[0]), plain(value)]);
const list = (key: string, values: readonly Value[]) =>
  Buffer.concat([
    ...[text(key), u32(ARRAY), u32(values[0]?.[0] ?? STRING), u64(values.length)],
    ...values.map(plain),
  ]);

/** A token. The types are NORMAL, UNKNOWN, CONTROL and BYTE of SentencePiece. */
type Token = { text: string; type: 1 | 2 | 3 | 6; bias: number };

/**
 * Returns the vocabulary: letters and bytes. Characters that close something are the most likely, so that the model writes
 * the shortest answer that a grammar allows: `{"recall":false,"confidence":0}`.
 */
function tokens(): Token[] {
  const likely = new Map([...'"}],:{[0fe'].map((letter, index) => [letter, 20 - index]));
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const printable = bytes.slice(33, 127).map((byte) => String.fromCharCode(byte));
  return [
    { text: '<unk>', type: 2, bias: -20 },
    { text: '<s>', type: 3, bias: -20 },
    { text: '</s>', type: 3, bias: 30 },
    ...bytes.map((byte): Token => {
      const hex = byte.toString(16).toUpperCase().padStart(2, '0');
      return { text: `<0x${hex}>`, type: 6, bias: -20 };
    }),
    { text: '▁', type: 1, bias: -10 },
    ...printable.map((letter): Token => ({ text: letter, type: 1, bias: likely.get(letter) ?? 0 })),
  ];
}

/**
 * Writes a language model of the llama architecture as a GGUF file of a few kilobytes. It has learned nothing: its only layer
 * adds nothing, and the probability of a token does not depend on the text before it.
 */
export async function writeTinyGguf(path: string): Promise<string> {
  const vocabulary = tokens();
  const metadata = [
    pair('general.architecture', [STRING, 'llama']),
    pair('general.name', [STRING, 'tiny']),
    pair('general.alignment', [UINT32, ALIGNMENT]),
    pair('llama.context_length', [UINT32, CONTEXT]),
    pair('llama.embedding_length', [UINT32, WIDTH]),
    pair('llama.block_count', [UINT32, 1]),
    pair('llama.feed_forward_length', [UINT32, FILTER]),
    pair('llama.attention.head_count', [UINT32, 1]),
    pair('llama.attention.head_count_kv', [UINT32, 1]),
    pair('llama.rope.dimension_count', [UINT32, WIDTH]),
    pair('llama.attention.layer_norm_rms_epsilon', [FLOAT32, 1e-5]),
    pair('llama.vocab_size', [UINT32, vocabulary.length]),
    pair('tokenizer.ggml.model', [STRING, 'llama']),
    list(
      'tokenizer.ggml.tokens',
      vocabulary.map((token): Value => [STRING, token.text]),
    ),
    list(
      'tokenizer.ggml.scores',
      vocabulary.map((): Value => [FLOAT32, 0]),
    ),
    list(
      'tokenizer.ggml.token_type',
      vocabulary.map(({ type }): Value => [INT32, type]),
    ),
    pair('tokenizer.ggml.bos_token_id', [UINT32, 1]),
    pair('tokenizer.ggml.eos_token_id', [UINT32, 2]),
    pair('tokenizer.ggml.unknown_token_id', [UINT32, 0]),
    pair('tokenizer.ggml.add_bos_token', [BOOL, true]),
    pair('tokenizer.ggml.add_eos_token', [BOOL, false]),
  ];
  const filled = (count: number, value: number) => new Float32Array(count).fill(value);
  const [square, wide] = [WIDTH * WIDTH, WIDTH * FILTER];
  const biases = vocabulary.flatMap(({ bias }) => new Array<number>(WIDTH).fill(bias / WIDTH));
  const tensors: [name: string, shape: number[], values: Float32Array][] = [
    ['token_embd.weight', [WIDTH, vocabulary.length], filled(WIDTH * vocabulary.length, 1)],
    ['output.weight', [WIDTH, vocabulary.length], Float32Array.from(biases)],
    ['output_norm.weight', [WIDTH], filled(WIDTH, 1)],
    ['blk.0.attn_norm.weight', [WIDTH], filled(WIDTH, 1)],
    ['blk.0.ffn_norm.weight', [WIDTH], filled(WIDTH, 1)],
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map(
      (name): [string, number[], Float32Array] => [
        `blk.0.${name}.weight`,
        [WIDTH, WIDTH],
        filled(square, 0),
      ],
    ),
    ['blk.0.ffn_gate.weight', [WIDTH, FILTER], filled(wide, 0)],
    ['blk.0.ffn_up.weight', [WIDTH, FILTER], filled(wide, 0)],
    ['blk.0.ffn_down.weight', [FILTER, WIDTH], filled(wide, 0)],
  ];
  // Every size is a multiple of the alignment, so the tensors follow each other without gaps.
  let offset = 0;
  const directory = tensors.map(([name, shape, values]) => {
    const entry = [text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)];
    offset += values.byteLength;
    return Buffer.concat(entry);
  });
  const head = Buffer.concat([
    ...[Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(metadata.length)],
    ...metadata,
    ...directory,
  ]);
  const padding = Buffer.alloc((ALIGNMENT - (head.length % ALIGNMENT)) % ALIGNMENT);
  const data = tensors.map(([, , values]) => Buffer.from(values.buffer));
  await writeFile(path, Buffer.concat([head, padding, ...data]));
  return path;
}
