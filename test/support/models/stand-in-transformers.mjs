/**
 * A stand-in for the part of `@huggingface/transformers` that the server uses, for models written by `tiny-onnx.ts`. Tests use
 * it if the package is not installed. `scripts/test-local-models.sh` runs the same tests with the real package.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Yields the fields of a protocol buffer; `bytes` is null for numbers. */
function* fieldsOf(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * place;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const size = varint();
    if (Number.isNaN(size) || at + size > bytes.length) throw new Error('Protobuf parsing failed.');
    const isBytes = (tag & 7) === 2;
    yield { field: tag >> 3, bytes: isBytes ? bytes.subarray(at, at + size) : null };
    if (isBytes) at += size;
  }
}

const inside = (bytes, field) => {
  for (const found of fieldsOf(bytes)) if (found.field === field && found.bytes) return found.bytes;
  throw new Error('Protobuf parsing failed.');
};

const [GRAPH, INITIALIZER, RAW_DATA] = [7, 5, 9];
const SIZE = 8;

/** Splits each word into the longest pieces in the vocabulary. Returns their ids. */
function tokenize(text, vocabulary) {
  const ids = [vocabulary['[CLS]']];
  for (const word of text.toLowerCase().match(/[a-z0-9]+|[^\sa-z0-9]/g) ?? []) {
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      const piece = () => `${start > 0 ? '##' : ''}${word.slice(start, end)}`;
      while (end > start + 1 && !(piece() in vocabulary)) end -= 1;
      ids.push(vocabulary[piece()] ?? vocabulary['[UNK]']);
      start = end;
    }
  }
  return [...ids, vocabulary['[SEP]']];
}

export async function pipeline(_task, model, { subfolder }) {
  const tokenizer = JSON.parse(await readFile(join(model, 'tokenizer.json')));
  const weights = await readFile(join(model, subfolder, 'model.onnx'));
  const table = inside(inside(inside(weights, GRAPH), INITIALIZER), RAW_DATA);
  const row = (id) =>
    Array.from({ length: SIZE }, (_, at) => table.readFloatLE((id * SIZE + at) * 4));
  return async (texts, { pooling }) => {
    const data = texts.flatMap((text) => {
      const rows = tokenize(text, tokenizer.model.vocab).map(row);
      const used = pooling === 'cls' ? rows.slice(0, 1) : rows;
      const sum = row(0).map((_, at) => used.reduce((total, one) => total + one[at], 0));
      const length = Math.hypot(...sum);
      return sum.map((value) => value / length);
    });
    return { dims: [texts.length, SIZE], data: Float32Array.from(data) };
  };
}
