import type { MemoryContext, Needs } from '../../context.ts';
import type { Answer } from '../../db/core/grouping.ts';
import { type HotPathState, type LoadInput, load } from '../../db/turns/remember.ts';
import { type SaveInput, save, type TurnNumbers } from '../../db/turns/remember-save.ts';
import { DatabaseUnavailable } from '../../domain/core/errors.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import { draftOfRequest } from '../../memory.ts';
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
    keyHashes: turns.flatMap((turn) => turn.keyHash ?? []),
  };
}

/**
 * Whether a call can share a transaction: not if a pattern found a fact, which takes further statements; nor while it is traced,
 * since the jobs of a transaction continue one trace; nor on a distributed database.
 */
export async function canShare(
  { db, tracing }: Needs<'db' | 'tracing'>,
  { reading }: RememberCall,
): Promise<boolean> {
  if (db.distributed || tracing.traceparent() !== null) return false;
  return [...(await reading).values()].every(({ facts }) => facts.length === 0);
}

/**
 * Stores the turns of calls of different users in one transaction, in two round trips. It leaves to a transaction of its own: a
 * call with turns that belong before others, and one whose user is new or is locked.
 * @throws DatabaseUnavailable if it is not known whether they are stored
 */
export async function rememberTogether(
  ctx: MemoryContext & Needs<'logger'>,
  first: RememberCall,
  take: () => RememberCall[],
): Promise<Answer<RememberedTurn[]>[]> {
  let calls: RememberCall[] = [];
  let userIds: string[] = [];
  let stage: 'waiting' | 'placing' | 'saving' = 'waiting';
  try {
    const placed = await ctx.db.asUsers(
      first.userId,
      () => {
        calls = take();
        userIds = calls.map(({ userId }) => userId);
        return userIds;
      },
      async (tx) => {
        stage = 'placing';
        const states = await load(tx, calls.map(toLoad));
        const locked = await tx.locked();
        const prepared = await Promise.all(
          calls.map(async (call) => ({ call, readings: await call.reading })),
        );
        const all = prepared.map((one) => {
          const { userId } = one.call;
          const state = locked.has(userId) ? states.get(userId) : undefined;
          return state ? place(ctx, { ...one, state }) : null;
        });
        const toSave = all.flatMap((one) => one?.toSave ?? []);
        stage = 'saving';
        const numbers = await save(tx, toSave, true);
        return all.map((one, index) => ({ one, numbers: numbers.get(userIds[index] as string) }));
      },
    );
    for (const { one } of placed) if (one?.toSave) ctx.publisher.publish(one.toSave.userId);
    return placed.map(({ one, numbers }) => one && (() => one.answer(numbers)));
  } catch (error) {
    // Where it is certain that nothing was stored, each call tries on its own.
    if (stage === 'waiting' || (stage === 'saving' && error instanceof DatabaseUnavailable))
      throw error;
    ctx.logger.warn({ err: error, calls: calls.length }, 'remember.group_failed');
    return calls.map(() => null);
  }
}

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
