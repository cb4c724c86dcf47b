import { z } from 'zod';
import {
  type Conversation,
  momentOf,
  type Reading,
  titleOf,
  turnsOf,
  WITHOUT_TIME,
} from './conversation.ts';

const text = z.string('must be a text');
const name = text.min(1, 'must not be empty').max(100, 'must be at most 100 characters');

const lineSchema = z.object(
  {
    text,
    occurredAt: z.iso.datetime({
      offset: true,
      error: 'must be a time with its zone, such as "2026-03-02T09:30:00Z"',
    }),
    /** Without a role, the turn is the user's if the speaker has the user's name. */
    role: text.transform((role) => role.toLowerCase()).nullish(),
    speaker: name.nullish(),
    conversation: name.nullish(),
    title: text.nullish(),
  },
  'must be a JSON object',
);

const USER = new Set(['user', 'human']);
const SKIPPED = new Set(['system', 'tool']);

/**
 * Reads one turn from a line of JSON.
 * @throws ZodError, SyntaxError when the line is not such a turn
 */
export function readJsonLine(line: string, { self, now }: Reading): Conversation {
  const { role, speaker, conversation, title, ...rest } = lineSchema.parse(JSON.parse(line));
  const thread = { id: conversation ?? null, title: titleOf(title) };
  if (role != null && SKIPPED.has(role)) {
    return { ...thread, turns: [], skipped: { 'messages of the system or a tool': 1 } };
  }
  const isUser = role == null ? speaker === self : USER.has(role);
  const said = { isUser, speaker: isUser ? self : (speaker ?? 'Assistant'), text: rest.text };
  const occurredAt = momentOf(rest.occurredAt, now);
  if (occurredAt === null) return { ...thread, turns: [], skipped: { [WITHOUT_TIME]: 1 } };
  const turns = turnsOf({ ...said, occurredAt });
  return { ...thread, turns, skipped: turns.length === 0 ? { 'messages without text': 1 } : {} };
}
