import { createReadStream } from 'node:fs';

/** A line of a file, by bytes. */
export type Line = {
  /** Empty for a line that is too long to be words. */
  text: string;
  start: number;
  /** The place after the line and its line break. */
  end: number;
  /** Whether the line break is still missing: it may still be being written. */
  isOpen: boolean;
};

const NEWLINE = 10;
/** The longest line that is read, in bytes. Longer ones hold pictures and files. */
const LONGEST = 8_000_000;

/** Reads a file line by line, from a byte on. Holds one line in memory at a time. */
export async function* linesOf(file: string, from: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let start = from;
  let end = from;
  const take = (isOpen: boolean): Line => {
    const text = end - start > LONGEST ? '' : Buffer.concat(parts).toString('utf8');
    const line = { text, start, end, isOpen };
    parts = [];
    start = end;
    return line;
  };
  const add = (part: Buffer) => {
    end += part.length;
    if (end - start > LONGEST) parts = [];
    else parts.push(part);
  };
  for await (const chunk of createReadStream(file, { start: from }) as AsyncIterable<Buffer>) {
    let at = 0;
    for (let found = chunk.indexOf(NEWLINE); found !== -1; found = chunk.indexOf(NEWLINE, at)) {
      add(chunk.subarray(at, found + 1));
      at = found + 1;
      yield take(false);
    }
    if (at < chunk.length) add(chunk.subarray(at));
  }
  if (end > start) yield take(true);
}
