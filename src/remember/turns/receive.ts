import { createHash } from 'node:crypto';
import { z } from 'zod';
import { IdempotencyConflict } from '../../domain/core/errors.ts';
import { parse } from '../../domain/core/parse.ts';
import {
  channelSchema,
  isSameTurn,
  MAX_TURNS,
  type ReceivedTurn,
  timeIssues,
  timeoutSchema,
  titleSchema,
  turnInputSchema,
} from '../../domain/turns/turn.ts';

/** What the caller asks for when a new thread is to be opened. */
const newThreadSchema = z.object({
  title: titleSchema.nullish().transform((title) => title ?? null),
  inactivityTimeoutMinutes: timeoutSchema.nullish().transform((minutes) => minutes ?? null),
});

const rememberSchema = z.object({
  channel: channelSchema,
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
 * Checks an input at the door.
 * @throws InvalidInput with every problem of the input
 * @throws IdempotencyConflict when one key stands for two different turns of the call
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

/** Keys are kept as 16 bytes of SHA-256, in hex here. */
export const hashKey = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 32);
