import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryError } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Conversation } from '../../src/cli/import/conversation.ts';
import { gather } from '../../src/cli/import/gather.ts';
import { type Format, readFile } from '../../src/cli/import/read-file.ts';
import { send, type Tally } from '../../src/cli/import/send.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-trouble-'));
});
afterAll(() => rm(folder, { recursive: true }));

const now = new Date('2026-03-02T09:00:00Z');

async function read(format: Format, text: string): Promise<Conversation[]> {
  const path = join(folder, 'file');
  await writeFile(path, text);
  const found: Conversation[] = [];
  for await (const one of readFile(path, { format, self: 'User', now }, () => {})) found.push(one);
  return found;
}
const summaryOf = ({ id, turns, skipped }: Conversation) => ({
  id,
  turns: turns.map(({ text, occurredAt }) => [text, occurredAt.toISOString()]),
  skipped,
});

const message = (text: string, time: unknown, parent: string | null = null) => ({
  parent,
  message: {
    author: { role: 'user' },
    create_time: time,
    content: { content_type: 'text', parts: [text] },
  },
});

it('a ChatGPT import accepts times in milliseconds, replaces impossible ones and finds the last branch of an incomplete tree', async () => {
  const mapping = {
    z: message('never, and first', 1e20),
    a: message('in seconds', 1709280000, 'z'),
    b: message('never', 1e20, 'a'),
    c: message('in milliseconds', 1709280060_000, 'b'),
    d: message('in the future', 4102444800, 'c'),
    e: message('last', null, 'd'),
  };
  const tree = { conversation_id: null, id: 'x', create_time: 1e20, current_node: 'gone', mapping };
  const [conversation, ...others] = await read('chatgpt', `\uFEFF${JSON.stringify([tree])}`);
  expect(others).toEqual([]);
  expect(conversation && summaryOf(conversation)).toEqual({
    id: 'x',
    turns: [
      ['in seconds', '2024-03-01T08:00:00.000Z'],
      ['never', '2024-03-01T08:00:00.000Z'],
      ['in milliseconds', '2024-03-01T08:01:00.000Z'],
      ['in the future', '2024-03-01T08:01:00.000Z'],
      ['last', '2024-03-01T08:01:00.000Z'],
    ],
    skipped: { 'messages without a valid time': 1 },
  });
});

it('a ChatGPT import counts a message of an image alone as an attachment, and no more', async () => {
  const image = { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1' };
  const { author, create_time } = message('', 1709280000).message;
  const content = { content_type: 'multimodal_text', parts: [image] };
  const mapping = {
    a: { parent: null, message: { author, create_time, content } },
    b: message(' ', 1709280001, 'a'),
  };
  const [conversation] = await read('chatgpt', JSON.stringify([{ id: 'x', mapping }]));
  expect(conversation?.skipped).toEqual({ attachments: 1, 'messages without text': 1 });
});

it('a Claude import accepts a conversation without an id and skips a turn in the future', async () => {
  const turn = (text: string, created_at: string) => ({ sender: 'human', text, created_at });
  const chat_messages = [
    turn('now', '2026-03-01T08:00:00Z'),
    turn('later', '2126-03-01T08:00:00Z'),
  ];
  const found = await read('claude', JSON.stringify([{ uuid: null, chat_messages }]));
  expect(found.map(summaryOf)).toEqual([
    {
      id: null,
      turns: [['now', '2026-03-01T08:00:00.000Z']],
      skipped: { 'messages without a valid time': 1 },
    },
  ]);
});

it('an import of JSON lines ignores a byte-order mark and blank lines', async () => {
  const line = (text: string, occurredAt: string) =>
    JSON.stringify({ text, occurredAt, role: 'user', conversation: null, title: null });
  const lines = [line('one', '2026-03-01T08:00:00Z'), '  ', line('two', '2126-03-01T08:00:00Z')];
  const found = await read('jsonl', `\uFEFF${lines.join('\r\n')}\r\n\r\n`);
  expect(found.map(summaryOf)).toEqual([
    { id: null, turns: [['one', '2026-03-01T08:00:00.000Z']], skipped: {} },
    { id: null, turns: [], skipped: { 'messages without a valid time': 1 } },
  ]);
});

it('an import reports each conversation that the server refuses, and imports the others', async () => {
  const titles = ['unknown', 'typed', 'taken'];
  async function* conversations(): AsyncGenerator<Conversation> {
    for (const title of titles) {
      const turn = { isUser: true, speaker: 'User', text: title, occurredAt: now };
      yield { id: title, title, turns: [turn], skipped: {} };
    }
  }
  const tally: Tally = {
    ...{ conversations: 0, stored: 0, alreadyStored: 0, forgotten: 0 },
    skipped: {},
    refused: [],
  };
  const answers = [
    () => Promise.reject(new MemoryError('BAD_REQUEST', 'no such time', { status: 400 })),
    () => Promise.reject(new MemoryError('INVALID_INPUT', 'too long')),
    async () => ({ stored: 1, alreadyStored: 0, forgotten: 0 }),
    () => Promise.reject(new MemoryError('BUSY', 'away', { status: 503, retryable: true })),
  ];
  const memory = { importConversation: () => answers.shift()?.() as never };
  const target = { memory, channel: 'x', others: 'OTHER' } as const;
  await send(gather(conversations(), tally.skipped), target, tally);
  expect(tally).toMatchObject({
    stored: 1,
    refused: ['unknown: no such time', 'typed: too long'],
  });
  await expect(send(gather(conversations(), {}), target, tally)).rejects.toThrow('away');
});
