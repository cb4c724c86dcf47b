import pg from 'pg';
import type { MemoryContext, Needs } from '../../context.ts';
import type { Answer } from '../../db/core/grouping.ts';
import type { SaveInput, TurnNumbers } from '../../db/turns/placements.ts';
import type { HotPathState, LoadInput } from '../../db/turns/remember.ts';
import { Busy } from '../../domain/core/errors.ts';
import { contentBytes } from '../../domain/turns/same-turn.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import { draftOfRequest, writeTogether } from '../../memory.ts';
import { boundThread } from './bound-thread.ts';
import { prepareTurns } from './keep-turns.ts';
import { outcome, type RememberedTurn } from './outcome.ts';
import type { Received } from './receive.ts';

/** A call of `remember` whose input was checked. */
export type RememberCall = {
  userId: string;
  threadId: number | null;
  isImport: boolean;
  received: Received;
  /** What the rules read, by the turns' indexes in the input. */
  reading: Promise<ReadonlyMap<number, TurnReading>>;
};

/** What to load for a call. */
export function toLoad({ userId, threadId, received: { turns } }: RememberCall): LoadInput {
  const times = turns.map((turn) => turn.occurredAt.getTime());
  return {
    userId,
    threadId,
    earliest: new Date(Math.min(...times)),
    latest: new Date(Math.max(...times)),
    channels: [...new Set(turns.map((turn) => turn.channel))],
    keyed: turns.flatMap((turn) =>
      turn.keyHash === null ? [] : [{ keyHash: turn.keyHash, bytes: contentBytes(turn) }],
    ),
  };
}

/**
 * Whether a call can share a transaction: not if a pattern found a fact, which takes further statements; nor while it is traced,
 * since the jobs of a transaction continue one trace.
 */
export async function canJoin(
  { tracing }: Needs<'tracing'>,
  { reading }: RememberCall,
): Promise<boolean> {
  if (tracing.traceparent() !== null) return false;
  return [...(await reading).values()].every(({ facts }) => facts.length === 0);
}

/**
 * Stores the turns of calls of different users in one transaction, in two round trips. It leaves to a transaction of its own: a
 * call with turns that belong before others, and one whose user is new or is locked.
 * @param take returns the calls, once the transaction may begin
 * @throws the database's error if it is not known whether they are stored
 */
export async function rememberTogether(
  ctx: MemoryContext & Needs<'logger'>,
  take: () => RememberCall[],
): Promise<Answer<RememberedTurn[]>[]> {
  let calls: RememberCall[] = [];
  let isSaving = false;
  const users = () => {
    calls = take();
    if (calls.length === 0) throw new Error('All calls of the group have given up waiting.');
    return calls.map(({ userId }) => userId);
  };
  const stored = await writeTogether(ctx, users, async (memory) => {
    const states = await memory.remember.load(calls.map(toLoad));
    const locked = await memory.locked();
    const placed = await Promise.all(
      calls.map(async (call) => {
        const state = locked.has(call.userId) ? states.get(call.userId) : undefined;
        return state ? place(ctx, { call, readings: await call.reading, state }) : null;
      }),
    );
    const toSave = placed.flatMap((one) => one?.toSave ?? []);
    isSaving = true;
    const numbers = await memory.placements.save(toSave, true);
    return { placed, numbers, changed: toSave.map(({ userId }) => userId) };
  }).catch((error) => {
    if (calls.length === 0 || (isSaving && !isRolledBack(error))) throw error;
    ctx.logger.warn({ err: error, calls: calls.length }, 'remember.group_failed');
    return null;
  });
  // Nothing was stored: each call tries on its own.
  if (!stored) return calls.map(() => null);
  return stored.placed.map(
    (one, index) => one && (() => one.answer(stored.numbers.get(calls[index]?.userId ?? ''))),
  );
}

/** SQLSTATEs of a connection that has ended, so that it is unknown what became of the commit. */
const ENDED = /^(?:08|57P|58|XX)/;

/** Whether an error of the statement that stores is an answer of PostgreSQL that has aborted the transaction. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof Busy || (error instanceof pg.DatabaseError && !ENDED.test(error.code ?? ''));

/** A call whose turns are placed: what to store, and its result once that is stored. */
type Placed = { toSave: SaveInput | null; answer(numbers?: TurnNumbers): RememberedTurn[] };

/** Places the turns of a call; null if it has to run alone. */
function place(
  ctx: MemoryContext,
  {
    call,
    readings,
    state,
  }: { call: RememberCall; readings: ReadonlyMap<number, TurnReading>; state: HotPathState },
): Placed | null {
  const { userId, received } = call;
  const draft = draftOfRequest(ctx, 'remember');
  try {
    const bounded = boundThread(ctx, received, { ...call, state });
    const { placement } = bounded;
    if (placement.lateThreadIds.length > 0) return null;
    const toSave = prepareTurns(draft, userId, { state, placement, readings });
    return {
      toSave,
      answer: (numbers) => outcome(userId, received, { ...bounded, numbers, now: draft.now }),
    };
  } catch (error) {
    // What is wrong with one call is not the others' concern.
    return {
      toSave: null,
      answer: () => {
        throw error;
      },
    };
  }
}
