import type { Context } from '../../context.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import { noteFacts } from '../facts/note-facts.ts';
import { type Bounded, boundThread, type KnownTurn } from './bound-thread.ts';
import { keepTurns } from './keep-turns.ts';
import { type Received, receive } from './receive.ts';

/** What became of one turn of the input. */
export type RememberedTurn =
  | { status: 'STORED' | 'ALREADY_STORED'; turn: KnownTurn }
  | { status: 'FORGOTTEN'; turn: null };

export type RememberInput = {
  userId: string;
  /** The thread that the caller names. */
  threadId: number | null;
  /** Whether it is of the past: inactivity alone decides about threads, also on an explicit channel, unless one is named. */
  isImport?: boolean;
  /** `{ channel, newThread, turns }`, unchecked. */
  input: object;
};

/**
 * The hot path (requirements 1.2): receive → bound-thread → keep-turns → note-facts, in one
 * transaction of four round trips (more where a pattern finds a fact), without a model. When it returns, the turns and the wake-ups for all that will be
 * made of them are stored. The rest of the story is told by the steps in src/jobs/registry.ts:
 * index-turns → embed-turns, and idle-thread.
 *
 * @returns the fate of each turn, in the order of the input
 */
export async function remember(
  ctx: Context,
  { userId, threadId, isImport = false, input }: RememberInput,
): Promise<RememberedTurn[]> {
  const received = receive(input, ctx.clock());
  const times = received.turns.map((turn) => turn.occurredAt.getTime());
  const reading = readTurns(ctx, userId, received);
  // No connection is held while much is read.
  if (received.turns.length > FEW) await reading;
  return ctx.memory(userId).write(async (memory) => {
    const state = await memory.remember.load({
      threadId,
      earliest: new Date(Math.min(...times)),
      latest: new Date(Math.max(...times)),
      channels: [...new Set(received.turns.map((turn) => turn.channel))],
      keyHashes: received.turns.flatMap((turn) => turn.keyHash ?? []),
    });
    const bounded = boundThread(ctx, received, { threadId, isImport, state });
    const { placement } = bounded;
    const readings = await reading;
    const numbers =
      placement.turns.length > 0
        ? await keepTurns(memory, state, { placement, readings })
        : new Map<number, number>();
    const read = placement.turns.map((turn) => ({
      turn,
      facts: readings.get(turn.index)?.facts ?? [],
    }));
    await noteFacts(ctx, memory, read);
    return outcome(userId, received, { ...bounded, numbers, now: memory.now });
  });
}

/** So few turns are read while the memory's state is loaded. */
const FEW = 20;

/** What the rules read off each turn, by its place in the input. */
async function readTurns(
  { rules }: Context,
  userId: string,
  { turns }: Received,
): Promise<Map<number, TurnReading>> {
  const readings = await rules.readTurns(turns, { userId });
  return new Map(
    turns.flatMap(({ index }, place) => {
      const reading = readings[place];
      return reading ? [[index, reading] as const] : [];
    }),
  );
}

function outcome(
  userId: string,
  received: Received,
  {
    placement,
    known,
    forgotten,
    numbers,
    now,
  }: Bounded & { numbers: Map<number, number>; now: Date },
): RememberedTurn[] {
  const fates = new Map<number, RememberedTurn>();
  for (const { index, timeGiven: _, keyHash: __, ...turn } of placement.turns) {
    const number = numbers.get(turn.id) ?? turn.number;
    fates.set(index, { status: 'STORED', turn: { ...turn, userId, number, recordedAt: now } });
  }
  for (const [index, turn] of known) fates.set(index, { status: 'ALREADY_STORED', turn });
  for (const index of forgotten) fates.set(index, { status: 'FORGOTTEN', turn: null });
  for (const [index, earlier] of received.repeats) {
    const fate = fates.get(earlier) as RememberedTurn;
    fates.set(index, fate.turn ? { ...fate, status: 'ALREADY_STORED' } : fate);
  }
  return [...fates.entries()].sort(([a], [b]) => a - b).map(([, fate]) => fate);
}
