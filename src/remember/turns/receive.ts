import { createHash } from 'node:crypto';
import { z } from 'zod';
import { IdempotencyConflict } from '../../domain/core/errors.ts';
import { parse } from '../../domain/core/parse.ts';
import { DEFAULT_CHANNEL } from '../../domain/turns/channel.ts';
import { isSameTurn } from '../../domain/turns/same-turn.ts';
import {
  channelSchema,
  MAX_TURNS,
  type ReceivedTurn,
  timeIssues,
  timeoutSchema,
  titleSchema,
  turnInputSchema,
} from '../../domain/turns/turn.ts';

/** The settings of a new thread that the caller requests. */
const newThreadSchema = z.object({
  title: titleSchema.nullish().transform((title) => title ?? null),
  inactivityTimeoutMinutes: timeoutSchema.nullish().transform((minutes) => minutes ?? null),
});

const rememberSchema = z.object({
  channel: channelSchema.nullish().transform((channel) => channel ?? DEFAULT_CHANNEL),
  newThread: newThreadSchema.nullish(),
  turns: z
    .array(turnInputSchema)
    .min(1, 'must hold at least one turn')
    .max(MAX_TURNS, `must hold at most ${MAX_TURNS} turns; send more in further calls`),
});

export type Received = {
  turns: ReceivedTurn[];
  newThread: z.output<typeof newThreadSchema> | null;
  /** Turns that repeat an earlier one of the same call, by index. */
  repeats: Map<number, number>;
};

/**
 * Validates the input of `remember`.
 * @throws InvalidInput with every problem of the input
 * @throws IdempotencyConflict if two different turns of the call have the same key
 */
export function receive(input: object, now: Date): Received {
  const { turns: given } = input as { turns?: unknown };
  const parsed = parse(rememberSchema, input, 'input', timeIssues(given, now, 'input.turns'));
  const all = parsed.turns.map(
    (turn, index): ReceivedTurn => ({
      index,
      role: turn.role,
      speaker: turn.speaker,
      text: turn.text,
      channel: turn.channel ?? parsed.channel,
      toolCalls: turn.toolCalls,
      occurredAt: turn.occurredAt ?? now,
      timeGiven: turn.occurredAt != null,
      keyHash: turn.idempotencyKey ? hashKey(turn.idempotencyKey) : null,
    }),
  );
  const first = new Map<string, ReceivedTurn>();
  const repeats = new Map<number, number>();
  const turns = all.filter((turn) => {
    const earlier = turn.keyHash === null ? undefined : first.get(turn.keyHash);
    if (earlier === undefined) {
      if (turn.keyHash !== null) first.set(turn.keyHash, turn);
      return true;
    }
    if (!isSameTurn(turn, earlier)) {
      throw new IdempotencyConflict(`input.turns.${turn.index}.idempotencyKey`);
    }
    repeats.set(turn.index, earlier.index);
    return false;
  });
  return { turns, newThread: parsed.newThread ?? null, repeats };
}

/** Idempotency keys are stored as the first 16 bytes of their SHA-256; this returns them in hex. */
export const hashKey = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 32);
