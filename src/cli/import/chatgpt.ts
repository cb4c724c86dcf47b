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
    const { reason, attachments, message } = readMessage(raw, { before, now });
    if (attachments > 0) skip(skipped, 'attachments', attachments);
    if (reason !== null) skip(skipped, reason);
    if (message === null) continue;
    const { isUser, text, at: occurredAt } = message;
    before = occurredAt;
    turns.push(...turnsOf({ isUser, speaker: isUser ? self : 'ChatGPT', text, occurredAt }));
  }
  const id = tree.conversation_id || tree.id || null;
  return { id, title: titleOf(tree.title), turns, skipped };
}

/** Reads a time of an export; null if it is missing or not valid. */
const timeOf = (time: number | null | undefined, now: Date): Date | null =>
  time == null ? null : momentOf(time > MAX_SECONDS ? time : time * 1000, now);

/** What a message gives: its text and time, or the reason to skip it; none if it has attachments only. */
type Read = {
  reason: string | null;
  attachments: number;
  message: { isUser: boolean; text: string; at: Date } | null;
};

/** Reads a message. The time of the previous message replaces an earlier one, and one that is missing or not valid. */
function readMessage(raw: unknown, { before, now }: { before: Date | null; now: Date }): Read {
  const skipped = { attachments: 0, message: null };
  const { data } = messageSchema.safeParse(raw);
  if (!data) return { ...skipped, reason: 'messages of an unknown form' };
  const reason = reasonToSkip(data);
  if (reason !== null) return { ...skipped, reason };
  const { text, attachments } = contentOf(data);
  const isEmpty = text.trim() === '';
  if (isEmpty && attachments > 0) return { reason: null, attachments, message: null };
  if (isEmpty) return { ...skipped, reason: 'messages without text' };
  const at = timeOf(data.create_time, now) ?? before;
  if (at === null) return { reason: WITHOUT_TIME, attachments, message: null };
  const isUser = data.author.role === 'user';
  const message = { isUser, text, at: before !== null && at < before ? before : at };
  return { reason: null, attachments, message };
}

/** The messages from the root to the current node. If that is missing or unknown, the path ends at the last leaf in the file. */
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
  // ChatGPT gives weight 0 to what it does not show.
  if (weight === 0 || metadata?.is_visually_hidden_from_conversation) return 'hidden messages';
  if (recipient != null && recipient !== 'all') return 'messages to a tool';
  return TEXTS.has(content.content_type) ? null : 'messages of code, thoughts and other content';
}

/** The text parts of a message, including transcripts of speech, and how many images and files it has besides. */
function contentOf({ content }: Message): { text: string; attachments: number } {
  const parts = (content.parts ?? []).map((part) => {
    if (typeof part === 'string') return part;
    const { text } = (part ?? {}) as { text?: unknown };
    return typeof text === 'string' ? text : null;
  });
  const text = parts.filter(Boolean).join('\n');
  return { text, attachments: parts.filter((part) => part === null).length };
}
