import { z } from 'zod';
import {
  type Conversation,
  momentOf,
  type Reading,
  titleOf,
  turnsOf,
  WITHOUT_TIME,
} from './conversation.ts';

const lineSchema = z.object({
  text: z.string(),
  occurredAt: z.iso.datetime({ offset: true }),
  /** Without a role, the turn is the user's if the speaker has the user's name. */
  role: z
    .string()
    .transform((role) => role.toLowerCase())
    .nullish(),
  speaker: z.string().min(1).max(100).nullish(),
  conversation: z.string().min(1).max(100).nullish(),
  title: z.string().nullish(),
});

const USER = new Set(['user', 'human']);
const SKIPPED = new Set(['system', 'tool']);

/**
 * Reads one turn from a line of JSON.
 * @throws ZodError, SyntaxError when the line is not such a turn
 */
export function readJsonLine(line: string, { self, now }: Reading): Conversation {
  const { role, speaker, conversation, title, text, ...rest } = lineSchema.parse(JSON.parse(line));
  const thread = { id: conversation ?? null, title: titleOf(title) };
  if (role != null && SKIPPED.has(role)) {
    return { ...thread, turns: [], skipped: { 'messages of the system or a tool': 1 } };
  }
  const isUser = role == null ? speaker === self : USER.has(role);
  const name = isUser ? self : (speaker ?? 'Assistant');
  const occurredAt = momentOf(rest.occurredAt, now);
  if (occurredAt === null) return { ...thread, turns: [], skipped: { [WITHOUT_TIME]: 1 } };
  const turns = turnsOf({ isUser, speaker: name, text, occurredAt });
  return { ...thread, turns, skipped: turns.length === 0 ? { 'messages without text': 1 } : {} };
}
