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

const messageSchema = z.object({
  author: z.object({ role: z.string() }),
  create_time: z.number().nullish(),
  content: z.object({ content_type: z.string(), parts: z.array(z.unknown()).optional() }),
  recipient: z.string().nullish(),
  weight: z.number().nullish(),
  metadata: z
    .object({ is_visually_hidden_from_conversation: z.boolean().nullish() })
    .nullish()
    .catch(null),
});
type Message = z.output<typeof messageSchema>;

const conversationSchema = z.object({
  id: z.string().nullish(),
  conversation_id: z.string().nullish(),
  title: z.string().nullish(),
  create_time: z.number().nullish().catch(null),
  current_node: z.string().nullish(),
  mapping: z.record(
    z.string(),
    z.object({ message: z.unknown().optional(), parent: z.string().nullish() }),
  ),
});
type Tree = z.output<typeof conversationSchema>;

const ROLES = new Set(['user', 'assistant']);
const TEXTS = new Set(['text', 'multimodal_text']);
/** Times are in seconds. A larger number, which would be after the year 5138, is in milliseconds. */
const MAX_SECONDS = 1e11;

/**
 * Reads one conversation of ChatGPT's conversations.json. It is a tree, because a message can be edited and answered
 * again. The branch that ends at `current_node` is imported.
 * @throws ZodError when the value is not such a conversation
 */
export function readChatGpt(value: unknown, { self, now }: Reading): Conversation {
  const tree = conversationSchema.parse(value);
  const skipped: Skipped = {};
  const turns: ImportedTurn[] = [];
  let before = timeOf(tree.create_time, now);
  for (const raw of pathOf(tree)) {
    const read = readMessage(raw, { before, now }, skipped);
    if ('reason' in read) {
      skip(skipped, read.reason);
      continue;
    }
    const { isUser, text, at: occurredAt } = read;
    before = occurredAt;
    turns.push(...turnsOf({ isUser, speaker: isUser ? self : 'ChatGPT', text, occurredAt }));
  }
  const id = tree.conversation_id || tree.id || null;
  return { id, title: titleOf(tree.title), turns, skipped };
}

/** Reads a time of an export; null if it is missing or not valid. */
const timeOf = (time: number | null | undefined, now: Date): Date | null =>
  time == null ? null : momentOf(time > MAX_SECONDS ? time : time * 1000, now);

/**
 * Reads the text and the time of a message, or the reason to skip it. A time before that of the previous message, or a
 * missing one, is replaced by that of the previous message.
 */
function readMessage(
  raw: unknown,
  { before, now }: { before: Date | null; now: Date },
  skipped: Skipped,
): { isUser: boolean; text: string; at: Date } | { reason: string } {
  const { data: message } = messageSchema.safeParse(raw);
  if (!message) return { reason: 'messages of an unknown form' };
  const reason = reasonToSkip(message);
  if (reason !== null) return { reason };
  const text = textOf(message, skipped);
  if (text.trim() === '') return { reason: 'messages without text' };
  const at = message.create_time == null ? before : timeOf(message.create_time, now);
  if (at === null) return { reason: WITHOUT_TIME };
  const isUser = message.author.role === 'user';
  return { isUser, text, at: before !== null && at < before ? before : at };
}

/** The messages from the root to the current node. If that is missing or unknown, the path ends at the last leaf. */
function pathOf({ mapping, current_node }: Tree): unknown[] {
  const path: unknown[] = [];
  const seen = new Set<string>();
  let id = current_node && mapping[current_node] ? current_node : lastLeafOf(mapping);
  while (id != null && !seen.has(id)) {
    seen.add(id);
    const node: Tree['mapping'][string] | undefined = mapping[id];
    if (node?.message != null) path.push(node.message);
    id = node?.parent ?? undefined;
  }
  return path.reverse();
}

function lastLeafOf(mapping: Tree['mapping']): string | undefined {
  const parents = new Set(Object.values(mapping).map(({ parent }) => parent));
  return Object.keys(mapping).findLast((id) => !parents.has(id));
}

function reasonToSkip({ author, content, recipient, weight, metadata }: Message): string | null {
  if (!ROLES.has(author.role)) return 'messages of the system or a tool';
  if (weight === 0 || metadata?.is_visually_hidden_from_conversation) return 'hidden messages';
  if (recipient != null && recipient !== 'all') return 'messages to a tool';
  return TEXTS.has(content.content_type) ? null : 'messages of code, thoughts and other content';
}

/** The text parts of a message, including transcripts of speech. Images and files are counted as skipped. */
function textOf({ content }: Message, skipped: Skipped): string {
  const texts = (content.parts ?? []).map((part) => {
    if (typeof part === 'string') return part;
    const { text } = (part ?? {}) as { text?: unknown };
    if (typeof text === 'string') return text;
    skip(skipped, 'attachments');
    return '';
  });
  return texts.filter((text) => text !== '').join('\n');
}
