import type { MemoryContext, Needs } from '../../context.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import type { Memory } from '../../memory.ts';
import { noteFacts } from '../facts/note-facts.ts';
import { type Bounded, boundThread, type KnownTurn } from './bound-thread.ts';
import { keepTurns } from './keep-turns.ts';
import { type Received, receive } from './receive.ts';

/** The result for one turn of the input. */
export type RememberedTurn =
  | { status: 'STORED' | 'ALREADY_STORED'; turn: KnownTurn }
  | { status: 'FORGOTTEN'; turn: null };

export type RememberInput = {
  userId: string;
  /** The thread that the caller names; null if none. */
  threadId: number | null;
  /** Whether the turns are imported. Then inactivity decides about threads, even on explicit channels, unless one is named. */
  isImport?: boolean;
  /** `{ channel, newThread, turns }`, unchecked. */
  input: object;
};

/**
 * The hot path (requirements 1.2): receive → bound-thread → keep-turns → note-facts, in one transaction of two round trips
 * (more if a pattern finds a fact), without a model. When it returns, the turns and the jobs that process them are stored.
 * Everything else happens in background steps, see src/pipeline.ts.
 *
 * @returns the result for each turn, in the order of the input
 */
export async function remember(
  ctx: MemoryContext & Needs<'rules' | 'logger' | 'metrics'>,
  { userId, threadId, isImport = false, input }: RememberInput,
): Promise<RememberedTurn[]> {
  const received = receive(input, ctx.clock());
  const times = received.turns.map((turn) => turn.occurredAt.getTime());
  const reading = readTurns(ctx, userId, received);
  // Reading many turns takes time, so it is finished before a connection is taken.
  if (received.turns.length > FEW) await reading;
  const keep = async (memory: Memory) => {
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
    const read = placement.turns.map((turn) => ({
      turn,
      facts: readings.get(turn.index)?.facts ?? [],
    }));
    const isLastStatement = read.every(({ facts }) => facts.length === 0);
    const numbers =
      placement.turns.length > 0
        ? await keepTurns(memory, state, { placement, readings, isLastStatement })
        : new Map<number, number>();
    await noteFacts(ctx, memory, read);
    return outcome(userId, received, { ...bounded, numbers, now: memory.now });
  };
  const options = {
    isBulk: isBulk(received.turns),
    readsFirst: true,
    request: 'remember',
  } as const;
  return ctx.memory(userId).write(keep, options);
}

/** Up to this many turns are read while the memory's state is loaded. */
const FEW = 20;
/** Calls with more turns, or more characters, let others go first. */
const MANY = { turns: 100, characters: 200_000 };

function isBulk(turns: Received['turns']): boolean {
  const characters = turns.reduce((sum, { text }) => sum + text.length, 0);
  return turns.length > MANY.turns || characters > MANY.characters;
}

/** Lets the rules read each turn. @returns the readings by the turns' indexes in the input */
async function readTurns(
  { rules }: Needs<'rules'>,
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
    alreadyStored,
    forgotten,
    numbers,
    now,
  }: Bounded & { numbers: Map<number, number>; now: Date },
): RememberedTurn[] {
  const results = new Map<number, RememberedTurn>();
  for (const { index, timeGiven: _, keyHash: __, ...turn } of placement.turns) {
    const number = numbers.get(turn.id) ?? turn.number;
    const stored = { ...turn, userId, number, recordedAt: now, unreadByRules: false };
    results.set(index, { status: 'STORED', turn: stored });
  }
  for (const [index, turn] of alreadyStored) results.set(index, { status: 'ALREADY_STORED', turn });
  for (const index of forgotten) results.set(index, { status: 'FORGOTTEN', turn: null });
  for (const [index, earlier] of received.repeats) {
    const result = results.get(earlier) as RememberedTurn;
    results.set(index, result.turn ? { ...result, status: 'ALREADY_STORED' } : result);
  }
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
