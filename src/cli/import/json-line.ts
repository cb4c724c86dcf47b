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
  /** Left out: the user's, if the speaker has the user's name. */
  role: z
    .string()
    .transform((role) => role.toLowerCase())
    .nullish(),
  speaker: z.string().min(1).max(100).nullish(),
  conversation: z.string().min(1).max(100).nullish(),
  title: z.string().nullish(),
});

const USER = new Set(['user', 'human']);
const SILENT = new Set(['system', 'tool']);

/**
 * Reads a line that holds one turn.
 * @throws ZodError, SyntaxError when it does not
 */
export function readJsonLine(line: string, { self, now }: Reading): Conversation {
  const { role, speaker, conversation, title, text, ...said } = lineSchema.parse(JSON.parse(line));
  const own = { id: conversation ?? null, title: titleOf(title) };
  if (role != null && SILENT.has(role)) {
    return { ...own, turns: [], skipped: { 'of the system or a tool': 1 } };
  }
  const isUser = role == null ? speaker === self : USER.has(role);
  const name = isUser ? self : (speaker ?? 'Assistant');
  const occurredAt = momentOf(said.occurredAt, now);
  if (occurredAt === null) return { ...own, turns: [], skipped: { [WITHOUT_TIME]: 1 } };
  const turns = turnsOf({ isUser, speaker: name, text, occurredAt });
  return { ...own, turns, skipped: turns.length === 0 ? { 'without text': 1 } : {} };
}
