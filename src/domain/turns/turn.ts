import { z } from 'zod';
import { MINUTE } from '../../shared/duration.ts';
import { ROLES, type Role, type ToolCall } from '../../shared/role.ts';
import type { InputIssue } from '../core/errors.ts';

/** The longest text of a turn, in characters. */
const MAX_TEXT = 1_000_000;
/** The first characters of a text that are indexed and read by a model; the rules read fewer. */
export const SEARCHED_CHARACTERS = 100_000;
/** The longest result of a tool call, in characters. */
const MAX_RESULT = 100_000;
/** The most turns in one `remember`. */
export const MAX_TURNS = 500;
/** The most turns in one `importConversation`. */
export const MAX_IMPORT = 20_000;

const EARLIEST = new Date('1970-01-01T00:00:00Z');
/** How far a caller's clock may run ahead of the server's, in milliseconds. */
export const CLOCK_SKEW = 5 * MINUTE;

/** Text that PostgreSQL can store word for word. */
const storable = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max.toLocaleString('en')} characters`)
    .refine((text) => !text.includes('\u0000'), 'must not contain the NUL character (U+0000)')
    .refine(
      (text) => text.isWellFormed(),
      'must be well-formed Unicode (it holds half a surrogate pair)',
    );

/** The same, but not blank. */
export const nonBlank = (max: number) =>
  storable(max).refine((text) => text === '' || text.trim() !== '', 'must not be blank');

/** The name of a speaker, a key or a conversation. */
export const nameSchema = nonBlank(100);

/** A thread's title. */
export const titleSchema = nonBlank(200);

/** A user's id: 1-128 characters without control characters. */
export const userIdSchema = nonBlank(128).regex(
  /^\P{Cc}*$/u,
  'must not contain control characters',
);

/** A channel's name, in lower case. */
export const channelSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9_.-]{0,49}$/,
    'must be 1-50 letters, digits, ".", "_" or "-", such as "sms"',
  );

/** The silence after which a thread ends, in minutes: 1 minute to 30 days. */
export const timeoutSchema = z
  .int()
  .min(1, 'must be at least 1 minute')
  .max(43_200, 'must be at most 43,200 minutes (30 days)');

/** Whether a time is plausible: not before 1970, and not in the future by more than clock skew. */
export const canBe = (at: Date, now: Date): boolean =>
  at >= EARLIEST && at.getTime() <= now.getTime() + CLOCK_SKEW;

const instant = z.date('must be a time such as 2026-03-02T09:30:00Z');

/**
 * Finds implausible times of turns. It is not part of the schema, because that is made once and does not know the current time.
 * @param turns unvalidated
 */
export function timeIssues(turns: unknown, now: Date, path: string): InputIssue[] {
  const given = Array.isArray(turns) ? (turns as { occurredAt?: unknown }[]) : [];
  return given.flatMap((turn, index) => {
    const at = turn?.occurredAt;
    if (!(at instanceof Date) || Number.isNaN(at.getTime())) return [];
    if (canBe(at, now)) return [];
    const message = `must lie between 1970-01-01 and now (${now.toISOString()})`;
    return [{ path: `${path}.${index}.occurredAt`, message }];
  });
}

/** The text of a turn. */
export const turnTextSchema = nonBlank(MAX_TEXT);

const toolCallSchema = z.object({
  name: nonBlank(200),
  ok: z.boolean(),
  result: storable(MAX_RESULT).nullish(),
});
export const toolCallsSchema = z.array(toolCallSchema).max(50, 'must be at most 50 tool calls');

/** One turn of the input of `remember`. */
export const turnInputSchema = z.object({
  role: z
    .enum(ROLES)
    .nullish()
    .transform((role) => role ?? 'USER'),
  speaker: nameSchema.nullish().transform((speaker) => speaker ?? null),
  text: turnTextSchema,
  channel: channelSchema.nullish(),
  toolCalls: toolCallsSchema
    .nullish()
    .transform((calls) => (calls && calls.length > 0 ? calls : null)),
  occurredAt: instant.nullish(),
  idempotencyKey: nonBlank(200).nullish(),
});

/** One turn of an imported conversation. */
export const importedTurnSchema = z.object({
  speaker: nameSchema,
  text: turnTextSchema,
  occurredAt: instant,
});

/** A validated turn of the input. */
export type ReceivedTurn = {
  /** Its index in the input. */
  index: number;
  role: Role;
  speaker: string | null;
  text: string;
  channel: string;
  toolCalls: ToolCall[] | null;
  occurredAt: Date;
  /** False if the time is the server's, because the caller gave none. */
  timeGiven: boolean;
  /** The hash of its idempotency key in hex; null if the caller gave none. */
  keyHash: string | null;
};

/** The largest turn, in bytes, that is read whole for the ranking: hundreds of candidates are read, and few are shown. */
export const WHOLE_BYTES = 16_000;

/** How many characters of a text are read for an excerpt of it. */
export const EXCERPT_OF = 8_000;
