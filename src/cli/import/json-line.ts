import { z } from 'zod';
import { type Conversation, titleOf, turnsOf } from './conversation.ts';

const lineSchema = z.object({
  text: z.string(),
  occurredAt: z.iso.datetime({ offset: true }),
  /** Left out: the user's, if the speaker has the user's name. */
  role: z
    .string()
    .transform((role) => role.toLowerCase())
    .optional(),
  speaker: z.string().min(1).max(100).optional(),
  conversation: z.string().min(1).max(100).optional(),
  title: z.string().optional(),
});

const USER = new Set(['user', 'human']);
const SILENT = new Set(['system', 'tool']);

/**
 * Reads a line that holds one turn.
 * @param self the user's name
 * @throws ZodError, SyntaxError when it does not
 */
export function readJsonLine(line: string, self: string): Conversation {
  const { role, speaker, conversation, title, text, ...said } = lineSchema.parse(JSON.parse(line));
  const own = { id: conversation ?? null, title: titleOf(title) };
  if (role !== undefined && SILENT.has(role)) {
    return { ...own, turns: [], skipped: { 'of the system or a tool': 1 } };
  }
  const isUser = role === undefined ? speaker === self : USER.has(role);
  const name = isUser ? self : (speaker ?? 'Assistant');
  const occurredAt = new Date(said.occurredAt);
  const turns = turnsOf({ isUser, speaker: name, text, occurredAt });
  return { ...own, turns, skipped: turns.length === 0 ? { 'without text': 1 } : {} };
}
