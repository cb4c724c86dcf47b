import type { Context } from '../context.ts';
import type { MemoryState } from '../db/remember.ts';
import type { EventDraft } from '../domain/event.ts';
import { type Gather, gathered, type JobDraft, type Step } from '../domain/job.ts';
import type { Placement } from '../domain/placement.ts';
import { FLOOR, OLDEST, WINDOW } from '../domain/segmentation.ts';
import type { Memory } from '../memory.ts';
import type { TurnReading } from './note-facts.ts';

/**
 * Writes the placed turns with the events that tell of them and the wake-ups that will work on
 * them. Returns the turns' numbers in their threads, by turn id.
 */
export async function keepTurns(
  ctx: Context,
  memory: Memory,
  state: MemoryState,
  { placement, readings }: { placement: Placement; readings: ReadonlyMap<number, TurnReading> },
): Promise<Map<number, number>> {
  const { now } = memory;
  // The statement stores its events and jobs itself.
  memory.changed();
  const late = placement.turns.filter(({ threadId }) => placement.lateThreadIds.includes(threadId));
  if (late.length > 0) await memory.lateTurns.makeRoom(late);
  const events = eventsOf(placement).map((event, index) => ({
    ...event,
    number: state.lastEvent + 1 + index,
  }));
  return memory.remember.save(state, {
    threads: placement.threads,
    turns: placement.turns.map((turn) => ({
      ...turn,
      wordCount: readings.get(turn.index)?.words ?? 0,
    })),
    lateThreadIds: placement.lateThreadIds,
    events,
    jobs: jobsOf(placement, ctx.config.gather, now),
    recordedAt: now,
    lastThread: Math.max(state.lastThread, ...placement.threads.map((thread) => thread.id)),
  });
}

/** The threads' notes in order, each thread's turns after it was opened and before it idled. */
function eventsOf({ threads, turns, notes }: Placement): EventDraft[] {
  const turnsOf = byThread(turns);
  const notesOf = byThread(notes);
  return threads.flatMap(({ id }) => {
    const own = turnsOf.get(id) ?? [];
    const note = (kinds: readonly string[]) =>
      (notesOf.get(id) ?? []).filter(({ kind }) => kinds.includes(kind));
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

/** What belongs to each thread, in its order. */
function byThread<T extends { threadId: number }>(items: readonly T[]): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const item of items) {
    const own = found.get(item.threadId);
    if (own) own.push(item);
    else found.set(item.threadId, [item]);
  }
  return found;
}

const laterOf = (a: Date, b: Date): Date => (a > b ? a : b);

/** Idle threads are segmented to their end; others once 20 turns are pending, or the first of them is old. */
function jobsOf({ threads, turns, lateThreadIds }: Placement, gather: Gather, now: Date) {
  const soon = (step: Step) => gathered(step, gather, now);
  const index = { step: 'index-turns', subject: 0, runAt: soon('index-turns') } as const;
  const facts = { step: 'extract-facts', subject: 0, runAt: soon('extract-facts') } as const;
  const turnsOf = byThread(turns);
  const late = { step: 'capture-segments', subject: 0, runAt: soon('capture-segments') } as const;
  return [
    ...(turns.length > 0 ? [index, facts] : []),
    ...(lateThreadIds.length > 0 ? [late] : []),
    ...threads.flatMap((thread): JobDraft[] => {
      const { id: subject, state, idleAt, turnCount, segmentedThrough, lastActivityAt } = thread;
      // Older pending ones have woken the step already.
      const added = turnsOf.get(subject) ?? [];
      const oldest = added[0]?.occurredAt;
      const isFull = turnCount - segmentedThrough >= WINDOW;
      const segmentAt = new Date((oldest ?? lastActivityAt).getTime() + OLDEST);
      // Those that were too few when they were looked at are enough now.
      const pending = turnCount - segmentedThrough;
      const isEnough = pending >= FLOOR && pending - added.length < FLOOR;
      const isDue = state !== 'OPEN' || isFull || isEnough || segmentAt < now;
      const runAt = isDue ? soon('segment-thread') : segmentAt;
      const segment: JobDraft = { step: 'segment-thread', subject, runAt };
      return state === 'OPEN'
        ? [{ step: 'idle-thread', subject, runAt: laterOf(idleAt, soon('idle-thread')) }, segment]
        : [segment];
    }),
  ];
}
