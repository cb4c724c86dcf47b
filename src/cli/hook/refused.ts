import type { MemoryError } from '@mnemograph/client';
import type { SpokenTurn } from './transcript.ts';

/** The status by which the server, or a proxy before it, refuses a large body. */
const TOO_LARGE = 413;

/** What is sent instead of turns that were refused together, in this order; and why turns are left out, if any are. */
type Instead = { groups: SpokenTurn[][]; reason: string | null };

/** The path of a problem of one turn, such as `input.turns.3.occurredAt`. */
const OF_A_TURN = /^input\.turns\.(\d+)\.(\w+)/;

/**
 * Separates turns that are refused for themselves from those that were only sent together with them.
 * @throws the error itself if it is not about these turns: sent later, or with another option, they may be stored
 */
export function instead(turns: SpokenTurn[], error: MemoryError): Instead {
  if (error.code === 'INVALID_INPUT') return withoutInvalid(turns, error);
  // The key says which words these are, so they are stored, with another time or on another channel.
  const isStored = error.code === 'IDEMPOTENCY_CONFLICT';
  if (!isStored && error.status !== TOO_LARGE) throw error;
  if (turns.length > 1) return { groups: halvesOf(turns), reason: null };
  return { groups: [], reason: isStored ? null : error.message };
}

function withoutInvalid(turns: SpokenTurn[], error: MemoryError): Instead {
  const fields = new Map<number, Set<string>>();
  for (const { path } of error.issues) {
    const [, index, field] = OF_A_TURN.exec(path) ?? [];
    if (index === undefined || field === undefined) throw error;
    fields.set(Number(index), (fields.get(Number(index)) ?? new Set()).add(field));
  }
  // It does not say what is wrong.
  if (fields.size === 0) throw error;
  let isLeftOut = false;
  const rest = turns.flatMap((turn, index) => {
    const invalid = fields.get(index);
    if (!invalid) return [turn];
    const { occurredAt, ...timeless } = turn;
    // By a clock that is ahead it was said in the future: then the server's time is the best one.
    if (occurredAt !== undefined && invalid.size === 1 && invalid.has('occurredAt'))
      return [timeless];
    isLeftOut = true;
    return [];
  });
  return { groups: [rest], reason: isLeftOut ? error.message : null };
}

const halvesOf = (turns: SpokenTurn[]): SpokenTurn[][] => {
  const middle = Math.ceil(turns.length / 2);
  return [turns.slice(0, middle), turns.slice(middle)];
};
