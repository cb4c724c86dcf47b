import { z } from 'zod';
import {
  type Conversation,
  type ImportedTurn,
  momentOf,
  type Reading,
  type Skipped,
  skip,
  titleOf,
  turnsOf,
  WITHOUT_TIME,
} from './conversation.ts';

const blockSchema = z.object({ type: z.string(), text: z.string().nullish() });

const messageSchema = z.object({
  sender: z.enum(['human', 'assistant']),
  text: z.string().nullish(),
  content: z.array(blockSchema).nullish(),
  created_at: z.iso.datetime({ offset: true }),
  attachments: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
});
type Message = z.output<typeof messageSchema>;

const conversationSchema = z.object({
  uuid: z.string().nullish(),
  name: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

/**
 * Reads one conversation of Claude's conversations.json.
 * @throws ZodError when the value is not such a conversation
 */
export function readClaude(value: unknown, { self, now }: Reading): Conversation {
  const { uuid, name, chat_messages } = conversationSchema.parse(value);
  const skipped: Skipped = {};
  const turns: ImportedTurn[] = [];
  for (const raw of chat_messages) {
    const { data: message } = messageSchema.safeParse(raw);
    if (!message) {
      skip(skipped, 'messages of an unknown form');
      continue;
    }
    const text = textOf(message, skipped);
    if (text.trim() === '') {
      skip(skipped, 'messages without text');
      continue;
    }
    const isUser = message.sender === 'human';
    const at = momentOf(message.created_at, now);
    if (at === null) {
      skip(skipped, WITHOUT_TIME);
      continue;
    }
    const before = turns.at(-1)?.occurredAt ?? at;
    const occurredAt = new Date(Math.max(at.getTime(), before.getTime()));
    turns.push(...turnsOf({ isUser, speaker: isUser ? self : 'Claude', text, occurredAt }));
  }
  return { id: uuid || null, title: titleOf(name), turns, skipped };
}

/** The text blocks of a message. Older exports have only `text`. Other blocks and files are counted as skipped. */
function textOf({ text, content, attachments, files }: Message, skipped: Skipped): string {
  const blocks = content ?? [];
  const texts = blocks.flatMap((block) =>
    block.type === 'text' && block.text ? [block.text] : [],
  );
  for (const { type } of blocks) {
    if (type !== 'text') skip(skipped, 'tool calls, thoughts and other content');
  }
  for (const _file of [...(attachments ?? []), ...(files ?? [])]) skip(skipped, 'attachments');
  return texts.length > 0 ? texts.join('\n') : (text ?? '');
}
