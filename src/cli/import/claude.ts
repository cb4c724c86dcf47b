import { z } from 'zod';
import {
  type Conversation,
  type ImportedTurn,
  type Skipped,
  skip,
  titleOf,
  turnsOf,
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
  uuid: z.string(),
  name: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

/**
 * Reads a conversation of Claude's conversations.json.
 * @param self the user's name
 * @throws ZodError when it is none
 */
export function readClaude(value: unknown, self: string): Conversation {
  const { uuid, name, chat_messages } = conversationSchema.parse(value);
  const skipped: Skipped = {};
  const turns: ImportedTurn[] = [];
  for (const raw of chat_messages) {
    const { data: message } = messageSchema.safeParse(raw);
    if (!message) {
      skip(skipped, 'of an unknown form');
      continue;
    }
    const text = textOf(message, skipped);
    if (text.trim() === '') {
      skip(skipped, 'without text');
      continue;
    }
    const isUser = message.sender === 'human';
    const before = turns.at(-1)?.occurredAt ?? new Date(0);
    const at = new Date(message.created_at);
    const occurredAt = at < before ? before : at;
    turns.push(...turnsOf({ isUser, speaker: isUser ? self : 'Claude', text, occurredAt }));
  }
  return { id: uuid, title: titleOf(name), turns, skipped };
}

/** The blocks of text; older exports have `text` only. */
function textOf({ text, content, attachments, files }: Message, skipped: Skipped): string {
  const blocks = content ?? [];
  const texts = blocks.flatMap((block) =>
    block.type === 'text' && block.text ? [block.text] : [],
  );
  for (const { type } of blocks) {
    if (type !== 'text') skip(skipped, 'calls of tools, thoughts and the like');
  }
  for (const _file of [...(attachments ?? []), ...(files ?? [])]) skip(skipped, 'attachments');
  return texts.length > 0 ? texts.join('\n') : (text ?? '');
}
