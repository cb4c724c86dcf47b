import { InvalidArchive } from '../../domain/core/errors.ts';

/** The longest line, in bytes. A turn with all its tool calls is shorter. */
const MOST = 64_000_000;
const NEWLINE = 10;

/** Yields the lines of a stream, with one line in memory. (node:readline also splits at U+2028, which JSON may contain.) */
export async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun: Uint8Array[] = [];
  let size = 0;
  const join = () => Buffer.concat(begun).toString();
  for await (const bytes of stream) {
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      begun.push(bytes.subarray(from, to));
      yield join();
      begun = [];
      size = 0;
      from = to + 1;
    }
    if (from === bytes.length) continue;
    begun.push(bytes.subarray(from));
    size += bytes.length - from;
    if (size > MOST) throw new InvalidArchive('a line is longer than the longest possible row');
  }
  if (size > 0) yield join();
}
