import { z } from 'zod';
import type { InputIssue } from '../core/errors.ts';
import { ROLES, type Role, type ToolCall } from '../core/role.ts';

/** Longest text of a turn, in characters. */
const MAX_TEXT = 1_000_000;
/** Of a longer text so many characters, from its beginning, are searched and read by a model; rules need fewer. */
export const SEARCHED_CHARACTERS = 100_000;
/** Longest result of a tool's call, in characters. */
const MAX_RESULT = 100_000;
/** Most turns in one `remember`. */
export const MAX_TURNS = 500;
/** Most turns in one `importConversation`. */
export const MAX_IMPORT = 20_000;

const EARLIEST = new Date('1970-01-01T00:00:00Z');
/** How far a caller's clock may run ahead of the server's, in milliseconds. */
const CLOCK_SKEW = 5 * 60_000;

/** Text that PostgreSQL can hold word for word. */
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

/** The same, and more than blanks. */
export const nonBlank = (max: number) =>
  storable(max).refine((text) => text === '' || text.trim() !== '', 'must not be blank');

/** A speaker's or a key's name. */
export const nameSchema = nonBlank(100);

/** A thread's title. */
export const titleSchema = nonBlank(200);

/** Whose memory: 1-128 characters without control characters. */
export const userIdSchema = nonBlank(128).regex(
  /^\P{Cc}+$/u,
  'must not contain control characters',
);

/** A channel's name is compared in lower case. */
export const channelSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9_.-]{0,49}$/,
    'must be 1-50 letters, digits, ".", "_" or "-", such as "sms"',
  );

/** Minutes of silence after which a thread ends: 1 minute to 30 days. */
export const timeoutSchema = z
  .int()
  .min(1, 'must be at least 1 minute')
  .max(43_200, 'must be at most 43,200 minutes (30 days)');

/** Whether something can have happened then: not before 1970, nor in the future by more than clock skew. */
export const canBe = (at: Date, now: Date): boolean =>
  at >= EARLIEST && at.getTime() <= now.getTime() + CLOCK_SKEW;

const instant = z.date('must be a time such as 2026-03-02T09:30:00Z');

/**
 * What is wrong with the times of some turns. Apart from the schema, which is made once and does not know the present.
 *
 * @param turns unchecked
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

/** What a turn says. */
export const turnTextSchema = nonBlank(MAX_TEXT);

const toolCallSchema = z.object({
  name: nonBlank(200),
  ok: z.boolean(),
  result: storable(MAX_RESULT).nullish(),
});
export const toolCallsSchema = z.array(toolCallSchema).max(50, 'must be at most 50 tool calls');

/** One turn as the caller gives it. */
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

/** One turn of a conversation of the past. */
export const importedTurnSchema = z.object({
  speaker: nameSchema,
  text: turnTextSchema,
  occurredAt: instant,
});

/** A turn that passed the door. */
export type ReceivedTurn = {
  /** Where it stood in the input, from 0. */
  index: number;
  role: Role;
  speaker: string | null;
  text: string;
  channel: string;
  toolCalls: ToolCall[] | null;
  occurredAt: Date;
  /** False when the server's clock stood in for a missing time. */
  timeGiven: boolean;
  /** Hex; null when the caller gave no key. */
  keyHash: string | null;
};

/** What of a turn must be the same for a repeated key to be a repeated delivery. */
export type TurnContent = Pick<
  ReceivedTurn,
  'role' | 'speaker' | 'text' | 'channel' | 'toolCalls' | 'occurredAt'
>;

/** Whether a delivery repeats a turn. A time that the caller did not give cannot differ. */
export function isSameTurn(received: ReceivedTurn, known: TurnContent): boolean {
  return (
    received.role === known.role &&
    received.speaker === known.speaker &&
    received.text === known.text &&
    received.channel === known.channel &&
    sameCalls(received.toolCalls, known.toolCalls) &&
    (!received.timeGiven || received.occurredAt.getTime() === known.occurredAt.getTime())
  );
}

function sameCalls(a: ToolCall[] | null, b: ToolCall[] | null): boolean {
  const plain = (calls: ToolCall[] | null) =>
    JSON.stringify((calls ?? []).map((call) => [call.name, call.ok, call.result ?? null]));
  return plain(a) === plain(b);
}

/** Bytes up to which a turn comes whole with the others that may answer; hundreds of them are looked at, few are shown. */
export const WHOLE_BYTES = 16_000;
