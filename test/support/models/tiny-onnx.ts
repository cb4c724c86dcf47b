import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The length of the tiny model's vectors. */
export const TINY_DIMENSION = 8;

/** Groups of words with nearly the same meaning, which get nearly the same vector. */
const GROUPS = [
  ['cat', 'cats', 'kitten', 'purrs'],
  ['sail', 'sailing', 'boat', 'harbour'],
  ['bread', 'bake', 'baked', 'oven'],
  ['query', 'passage', 'represent'],
];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789.,:;!?\'"-'];
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** Returns the vectors of tokens. A word has the direction of its group and a little of its own; letters have little weight. */
function vocabulary(): { token: string; vector: number[] }[] {
  const unit = (place: number, size: number) =>
    Array.from({ length: TINY_DIMENSION }, (_, index) => (index === place ? size : 0));
  const sum = (a: number[], b: number[]) => a.map((value, index) => value + (b[index] ?? 0));
  const words = GROUPS.flatMap((group, place) =>
    group.map((token, index) => ({ token, vector: sum(unit(place, 1), unit(4 + index, 0.2)) })),
  );
  const letters = LETTERS.flatMap((letter, index) =>
    [letter, `##${letter}`].map((token) => ({ token, vector: unit(4 + (index % 4), 0.02) })),
  );
  const special = SPECIAL.map((token) => ({ token, vector: unit(7, 0.01) }));
  return [...special, ...words, ...letters];
}

/** Encodes numbers, and fields of bytes with their length, for protocol buffers. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number) =>
  Buffer.from([...varint(field << 3), ...varint(value)]);
const bytes = (field: number, ...content: (Buffer | string)[]) => {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(body.length)]), body]);
};

const FLOAT = 1;
const INT64 = 7;

/** Encodes a ValueInfoProto: the name, type and shape of a tensor. */
const tensor = (field: number, name: string, type: number, shape: readonly (string | number)[]) => {
  const dimensions = shape.map((size) =>
    bytes(1, typeof size === 'string' ? bytes(2, size) : number(1, size)),
  );
  const typed = bytes(1, number(1, type), bytes(2, ...dimensions));
  return bytes(field, bytes(1, name), bytes(2, typed));
};

/** Encodes a ModelProto of one node, which looks up each token's vector in a table. */
function onnx(table: readonly number[][], width: number): Buffer {
  const values = Buffer.from(Float32Array.from(table.flat()).buffer);
  const weights = bytes(
    5,
    ...[number(1, table.length), number(1, width), number(2, FLOAT), bytes(8, 'table')],
    bytes(9, values),
  );
  const look = bytes(
    1,
    ...[bytes(1, 'table'), bytes(1, 'input_ids'), bytes(2, 'last_hidden_state')],
    ...[bytes(3, 'look'), bytes(4, 'Gather')],
  );
  const graph = bytes(
    7,
    ...[look, bytes(2, 'tiny'), weights],
    tensor(11, 'input_ids', INT64, ['batch', 'sequence']),
    tensor(11, 'attention_mask', INT64, ['batch', 'sequence']),
    tensor(12, 'last_hidden_state', FLOAT, ['batch', 'sequence', width]),
  );
  return Buffer.concat([number(1, 8), graph, bytes(8, bytes(1, ''), number(2, 13))]);
}

export type TinyOptions = {
  /** Scales the weights. Another scale makes it another model. */
  scale?: number;
  /** The pooling in `1_Pooling/config.json`. Without it, that file is not written. */
  pooling?: 'mean' | 'cls';
};

/** Writes a sentence transformer in ONNX with all its files: a table of a few words, with a WordPiece tokenizer. */
export async function writeTinyModel(
  folder: string,
  { scale = 1, pooling }: TinyOptions = {},
): Promise<string> {
  const words = vocabulary();
  const files: Record<string, object> = {
    'config.json': {
      ...{ model_type: 'bert', architectures: ['BertModel'], hidden_size: TINY_DIMENSION },
      ...{ num_attention_heads: 1, num_hidden_layers: 1, vocab_size: words.length },
    },
    'tokenizer_config.json': {
      ...{ tokenizer_class: 'BertTokenizer', model_max_length: 512, do_lower_case: true },
      ...{ pad_token: '[PAD]', unk_token: '[UNK]', cls_token: '[CLS]', sep_token: '[SEP]' },
    },
    'tokenizer.json': {
      version: '1.0',
      added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true })),
      normalizer: {
        ...{ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true },
        ...{ strip_accents: null, lowercase: true },
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [
          { SpecialToken: { id: '[CLS]', type_id: 0 } },
          { Sequence: { id: 'A', type_id: 0 } },
          { SpecialToken: { id: '[SEP]', type_id: 0 } },
        ],
        pair: [],
        special_tokens: {
          '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
          '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
        },
      },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##' },
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(words.map(({ token }, id) => [token, id])),
      },
    },
  };
  if (pooling) {
    files['1_Pooling/config.json'] = {
      word_embedding_dimension: TINY_DIMENSION,
      pooling_mode_cls_token: pooling === 'cls',
      pooling_mode_mean_tokens: pooling === 'mean',
    };
  }
  await mkdir(join(folder, 'onnx'), { recursive: true });
  if (pooling) await mkdir(join(folder, '1_Pooling'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), JSON.stringify(content));
  }
  const table = words.map(({ vector }) => vector.map((value) => value * scale));
  await writeFile(join(folder, 'onnx', 'model.onnx'), onnx(table, TINY_DIMENSION));
  return folder;
}
