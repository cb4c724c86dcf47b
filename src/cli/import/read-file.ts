import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import streamArray from 'stream-json/streamers/stream-array.js';
import { z } from 'zod';
import { CommandFailed } from '../run-command.ts';
import { readChatGpt } from './chatgpt.ts';
import { readClaude } from './claude.ts';
import type { Conversation } from './conversation.ts';
import { readJsonLine } from './json-line.ts';

const READERS = { chatgpt: readChatGpt, claude: readClaude };
export type Format = keyof typeof READERS | 'jsonl';

const UNREADABLE = 'conversations of an unknown form';

/**
 * The conversations of a file, one at a time: however large it is, one of them is in memory. What is none is counted.
 * @param onRead is told how many bytes were read so far
 * @throws CommandFailed when the file cannot be read or is no JSON of that form
 */
export async function* readFile(
  path: string,
  { format, self }: { format: Format; self: string },
  onRead: (bytes: number) => void,
): AsyncGenerator<Conversation> {
  const file = createReadStream(path);
  try {
    const values = format === 'jsonl' ? createInterface({ input: file }) : elementsOf(file);
    for await (const value of values) {
      onRead(file.bytesRead);
      if (format !== 'jsonl') yield conversationOf(() => READERS[format](value, self));
      else if (value !== '') yield conversationOf(() => readJsonLine(value as string, self));
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${path} cannot be read as ${format}: ${(error as Error).message}`);
  } finally {
    file.destroy();
  }
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
