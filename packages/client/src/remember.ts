import type { RememberInput, TurnInput } from './generated/graphql.ts';

/** What belongs to a turn rather than to the call, where both are given together. */
type TurnOptions = Omit<TurnInput, 'text' | 'channel'>;
type Target = Omit<RememberInput, 'turns' | 'userId'>;

/** Where a single turn belongs, and who said it when. */
export type RememberOptions = Target & TurnOptions;
/** Several turns, and where they belong. */
export type RememberTurns = Omit<RememberInput, 'userId'>;

/** The input for one text, or for several turns. Turns without an idempotency key get one, so that they can be sent again. */
export function rememberInput(
  said: string | RememberTurns,
  options: RememberOptions,
  userId: string | undefined,
): RememberInput {
  const { turns, ...target } = typeof said === 'string' ? inputOf(said, options) : said;
  const withKeys = turns.map((turn) => ({
    ...turn,
    idempotencyKey: turn.idempotencyKey ?? newKey(),
  }));
  return { ...target, userId, turns: withKeys };
}

function inputOf(text: string, options: RememberOptions): RememberTurns {
  const { role, speaker, occurredAt, toolCalls, idempotencyKey, ...target } = options;
  return { ...target, turns: [{ text, role, speaker, occurredAt, toolCalls, idempotencyKey }] };
}

/** `crypto.randomUUID` exists on pages of HTTPS only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
