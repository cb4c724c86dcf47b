import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Transform } from 'node:stream';
import streamArray from 'stream-json/streamers/stream-array.js';
import { z } from 'zod';
import { CommandFailed } from '../support/run-command.ts';
import { readChatGpt } from './chatgpt.ts';
import { readClaude } from './claude.ts';
import type { Conversation, Reading } from './conversation.ts';
import { readJsonLine } from './json-line.ts';

const READERS = { chatgpt: readChatGpt, claude: readClaude };
export type Format = keyof typeof READERS | 'jsonl';

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const UNREADABLE = 'conversations of an unknown form';

/**
 * Streams the conversations of a file, so that only one of them is in memory. An element that is not a conversation is
 * counted as skipped.
 * @param onRead called with the number of bytes read so far
 * @throws CommandFailed when the file cannot be read or is not JSON of that format
 */
export async function* readFile(
  path: string,
  { format, ...reading }: Reading & { format: Format },
  onRead: (bytes: number) => void,
): AsyncGenerator<Conversation> {
  const file = createReadStream(path);
  try {
    const text = withoutByteOrderMark(file);
    const values = format === 'jsonl' ? createInterface({ input: text }) : elementsOf(text);
    for await (const value of values) {
      onRead(file.bytesRead);
      if (format !== 'jsonl') yield conversationOf(() => READERS[format](value, reading));
      else if (isLine(value)) yield conversationOf(() => readJsonLine(value, reading));
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${path} cannot be read as ${format}: ${(error as Error).message}`);
  } finally {
    file.destroy();
  }
}

const isLine = (line: unknown): line is string => typeof line === 'string' && line.trim() !== '';

/** Removes the byte-order mark, which some programs write at the start of a file. */
function withoutByteOrderMark(file: NodeJS.ReadableStream): Transform {
  let isFirst = true;
  const text = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const isMarked = isFirst && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
      isFirst = false;
      done(null, isMarked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk);
    },
  });
  file.once('error', (error) => text.destroy(error));
  return file.pipe(text);
}

async function* elementsOf(file: NodeJS.ReadableStream): AsyncGenerator<unknown> {
  const parser = streamArray.withParserAsStream();
  file.once('error', (error) => parser.destroy(error));
  for await (const { value } of file.pipe(parser)) yield value;
}

function conversationOf(read: () => Conversation): Conversation {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    return { id: null, title: null, turns: [], skipped: { [UNREADABLE]: 1 } };
  }
}
