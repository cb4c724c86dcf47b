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

/** The input of `readFile` besides the path. `onUnreadable` is told of each line that is no turn: its number and what is wrong. */
type FileReading = Reading & { format: Format; onUnreadable?: (problem: string) => void };

/**
 * Streams the conversations of a file, so that only one of them is in memory. An element that is not a conversation is
 * counted as skipped; a line that is no turn is left out.
 * @param onRead called with the number of bytes read so far
 * @throws CommandFailed when the file cannot be read or is not JSON of that format
 */
export async function* readFile(
  path: string,
  { format, onUnreadable = () => {}, ...reading }: FileReading,
  onRead: (bytes: number) => void,
): AsyncGenerator<Conversation> {
  const file = createReadStream(path);
  try {
    const text = withoutByteOrderMark(file);
    const values = format === 'jsonl' ? createInterface({ input: text }) : elementsOf(text);
    let number = 0;
    const tell = (problem: string) => onUnreadable(`line ${number}: ${problem}`);
    for await (const value of values) {
      onRead(file.bytesRead);
      number += 1;
      if (format !== 'jsonl') yield conversationOf(() => READERS[format](value, reading), null);
      else if (isLine(value)) yield conversationOf(() => readJsonLine(value, reading), tell);
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

/** Reads a conversation. One of an unknown form is told, or counted if there is nobody to tell. */
function conversationOf(
  read: () => Conversation,
  tell: ((problem: string) => void) | null,
): Conversation {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    tell?.(problemOf(error));
    return { id: null, title: null, turns: [], skipped: tell ? {} : { [UNREADABLE]: 1 } };
  }
}

const problemOf = (error: z.ZodError | SyntaxError): string =>
  error instanceof SyntaxError
    ? 'is not JSON'
    : error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
