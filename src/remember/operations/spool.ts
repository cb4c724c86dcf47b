import { createHash, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { splitLines } from './split-lines.ts';

/** Lines in an unlinked temporary file, which no other process can open and which disappears with this one. */
export type Spool = AsyncDisposable & {
  append(lines: readonly string[]): Promise<void>;
  /** The SHA-256 of everything appended so far, in hex. */
  sha256(): string;
  /** In bytes. */
  size(): number;
  /** The whole content as bytes. */
  read(): Readable;
  /** Its lines, in parts of about `characters`. */
  parts(characters: number): AsyncGenerator<string[]>;
};

export async function createSpool(): Promise<Spool> {
  const path = join(tmpdir(), `mnemograph-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  const hash = createHash('sha256');
  let size = 0;
  const read = () => file.createReadStream({ start: 0, autoClose: false });
  return {
    async append(lines) {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      hash.update(bytes);
      await file.appendFile(bytes);
      size += bytes.length;
    },
    sha256: () => hash.copy().digest('hex'),
    size: () => size,
    read,
    async *parts(characters) {
      let part: string[] = [];
      let length = 0;
      for await (const line of splitLines(read())) {
        part.push(line);
        length += line.length;
        if (length < characters) continue;
        yield part;
        part = [];
        length = 0;
      }
      if (part.length > 0) yield part;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
