import type { MemoryContext, Needs, RememberContext } from '../../context.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import type { Memory } from '../../memory.ts';
import { noteFacts } from '../facts/note-facts.ts';
import { boundThread } from './bound-thread.ts';
import { prepareTurns } from './keep-turns.ts';
import { outcome, type RememberedTurn } from './outcome.ts';
import { type Received, receive } from './receive.ts';
import { type RememberCall, toLoad } from './remember-together.ts';

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
 * Everything else happens in background steps, see src/pipeline.ts. Calls of several users that come at the same time share
 * a transaction.
 *
 * @returns the result for each turn, in the order of the input
 */
export async function remember(
  ctx: MemoryContext &
    Needs<'rules' | 'logger' | 'metrics'> &
    Pick<RememberContext, 'rememberGroups'>,
  { userId, threadId, isImport = false, input }: RememberInput,
): Promise<RememberedTurn[]> {
  const received = receive(input, ctx.clock());
  const reading = readTurns(ctx, userId, received);
  const call = { userId, threadId, isImport, received, reading };
  const isSmall = received.turns.length <= FEW && !isBulk(received.turns);
  if (isSmall) return ctx.rememberGroups.run(call, () => alone(ctx, call));
  // Reading many turns takes time, so it is finished before a connection is taken.
  await reading;
  return alone(ctx, call);
}

async function alone(
  ctx: MemoryContext & Needs<'rules' | 'logger' | 'metrics'>,
  call: RememberCall,
): Promise<RememberedTurn[]> {
  const { userId, received } = call;
  const keep = async (memory: Memory) => {
    const state = (await memory.remember.load([toLoad(call)])).get(userId);
    if (!state) throw new Error('the user row is not locked');
    const bounded = boundThread(ctx, received, { ...call, state });
    const { placement } = bounded;
    const readings = await call.reading;
    const read = placement.turns.map((turn) => ({
      turn,
      facts: readings.get(turn.index)?.facts ?? [],
    }));
    const isLastStatement = read.every(({ facts }) => facts.length === 0);
    const late = placement.turns.filter(({ threadId }) =>
      placement.lateThreadIds.includes(threadId),
    );
    if (late.length > 0) await memory.outOfOrderTurns.makeRoom(late);
    const toSave = prepareTurns(memory, userId, { state, placement, readings });
    const numbers = await memory.placements.save(toSave ? [toSave] : [], isLastStatement);
    await noteFacts(ctx, memory, read);
    return outcome(userId, received, {
      ...bounded,
      numbers: numbers.get(userId),
      now: memory.now,
    });
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
