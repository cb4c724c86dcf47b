import type { Context } from '../context.ts';
import type { EventDraft } from '../domain/event.ts';
import { type Gather, gathered, type JobDraft } from '../domain/job.ts';
import type { Placement } from '../domain/placement.ts';
import { wordCount } from '../domain/terms.ts';
import type { MemoryState } from './bound-thread.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

/**
 * Writes the placed turns with the events that tell of them and the wake-ups that will work on
 * them. Returns the turns' numbers in their threads, by turn id.
 */
export function keepTurns(
  ctx: Context,
  tx: Tx,
  userId: string,
  state: MemoryState,
  placement: Placement,
  now: Date,
): Promise<Map<number, number>> {
  const events = eventsOf(placement).map((event, index) => ({
    ...event,
    number: state.lastEvent + 1 + index,
  }));
  return ctx.store.remember.save(tx, userId, state, {
    threads: placement.threads,
    turns: placement.turns.map((turn) => ({ ...turn, wordCount: wordCount(turn.text) })),
    lateThreadIds: placement.lateThreadIds,
    events,
    jobs: jobsOf(placement, ctx.config.gather, now),
    recordedAt: now,
    lastThread: Math.max(state.lastThread, ...placement.threads.map((thread) => thread.id)),
  });
}

/** The threads' notes in order, each thread's turns after it was opened and before it idled. */
function eventsOf({ threads, turns, notes }: Placement): EventDraft[] {
  return threads.flatMap(({ id }) => {
    const own = turns.filter((turn) => turn.threadId === id);
    const note = (kinds: readonly string[]) =>
      notes.filter((entry) => entry.threadId === id && kinds.includes(entry.kind));
    const remembered: EventDraft[] = own.length
      ? [
          {
            kind: 'TURNS_REMEMBERED',
            threadId: id,
            firstTurnId: (own[0] as { id: number }).id,
            lastTurnId: (own.at(-1) as { id: number }).id,
            decision: `turns.remember (${own.length})`,
          },
        ]
      : [];
    return [
      ...note(['THREAD_OPENED', 'THREAD_REOPENED']),
      ...remembered,
      ...note(['THREAD_IDLED']),
    ];
  });
}

function jobsOf({ threads, turns }: Placement, gather: Gather, now: Date): JobDraft[] {
  const index = { step: 'index-turns', subject: 0, runAt: gathered('index-turns', gather, now) };
  const describeAt = gathered('describe-thread', gather, now);
  return [
    ...(turns.length > 0 ? [index as JobDraft] : []),
    ...threads.map(
      ({ id, state, idleAt }): JobDraft =>
        state === 'OPEN'
          ? { step: 'idle-thread', subject: id, runAt: idleAt }
          : { step: 'describe-thread', subject: id, runAt: describeAt },
    ),
  ];
}
