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
/** Times are in seconds; greater ones, of the year 5138, are in milliseconds. */
const MOST_SECONDS = 1e11;

/**
 * Reads a conversation of ChatGPT's conversations.json. It is a tree, since a message can be edited and answered again:
 * what counts is the way from `current_node` up to the root.
 * @throws ZodError when it is none
 */
export function readChatGpt(value: unknown, { self, now }: Reading): Conversation {
  const tree = conversationSchema.parse(value);
  const skipped: Skipped = {};
  const turns: ImportedTurn[] = [];
  let before = timeOf(tree.create_time, now);
  for (const raw of pathOf(tree)) {
    const read = readMessage(raw, { before, now }, skipped);
    if ('why' in read) {
      skip(skipped, read.why);
      continue;
    }
    const { isUser, text, at: occurredAt } = read;
    before = occurredAt;
    turns.push(...turnsOf({ isUser, speaker: isUser ? self : 'ChatGPT', text, occurredAt }));
  }
  const id = tree.conversation_id || tree.id || null;
  return { id, title: titleOf(tree.title), turns, skipped };
}

/** A time of an export. */
const timeOf = (time: number | null | undefined, now: Date): Date | null =>
  time == null ? null : momentOf(time > MOST_SECONDS ? time : time * 1000, now);

/** What a message says, and when (not before the one before it); or why it is left out. */
function readMessage(
  raw: unknown,
  { before, now }: { before: Date | null; now: Date },
  skipped: Skipped,
): { isUser: boolean; text: string; at: Date } | { why: string } {
  const { data: message } = messageSchema.safeParse(raw);
  if (!message) return { why: 'of an unknown form' };
  const why = reasonToSkip(message);
  if (why !== null) return { why };
  const text = textOf(message, skipped);
  if (text.trim() === '') return { why: 'without text' };
  const at = message.create_time == null ? before : timeOf(message.create_time, now);
  if (at === null) return { why: WITHOUT_TIME };
  const isUser = message.author.role === 'user';
  return { isUser, text, at: before !== null && at < before ? before : at };
}

/** The messages from the first one to the current one; where that is not told or not there, to the last one. */
function pathOf({ mapping, current_node }: Tree): unknown[] {
  const path: unknown[] = [];
  const seen = new Set<string>();
  let at = current_node && mapping[current_node] ? current_node : lastLeafOf(mapping);
  while (at != null && !seen.has(at)) {
    seen.add(at);
    const node: Tree['mapping'][string] | undefined = mapping[at];
    if (node?.message != null) path.push(node.message);
    at = node?.parent ?? undefined;
  }
  return path.reverse();
}

function lastLeafOf(mapping: Tree['mapping']): string | undefined {
  const parents = new Set(Object.values(mapping).map(({ parent }) => parent));
  return Object.keys(mapping).findLast((id) => !parents.has(id));
}

function reasonToSkip({ author, content, recipient, weight, metadata }: Message): string | null {
  if (!ROLES.has(author.role)) return 'of the system or a tool';
  if (weight === 0 || metadata?.is_visually_hidden_from_conversation) return 'hidden';
  if (recipient != null && recipient !== 'all') return 'to a tool';
  return TEXTS.has(content.content_type) ? null : 'code, thoughts and the like';
}

/** Strings and what was heard; pictures and files are left out. */
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
