import type { HotPathState } from '../../db/turns/remember.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { FLOOR, OLDEST, WINDOW } from '../../domain/segments/segmentation.ts';
import type { Placement } from '../../domain/threads/placement.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import type { Memory } from '../../memory.ts';

/**
 * Stores placed turns with their events and jobs.
 * @param isLastStatement whether the transaction stores nothing else, so that it is committed at once
 * @returns the turns' numbers in their threads, by turn id
 */
export async function keepTurns(
  memory: Memory,
  state: HotPathState,
  {
    placement,
    readings,
    isLastStatement,
  }: { placement: Placement; readings: ReadonlyMap<number, TurnReading>; isLastStatement: boolean },
): Promise<Map<number, number>> {
  const late = placement.turns.filter(({ threadId }) => placement.lateThreadIds.includes(threadId));
  if (late.length > 0) await memory.outOfOrderTurns.makeRoom(late);
  memory.record(eventsOf(placement));
  reportChanges(memory, placement);
  // Events and jobs are stored by the same statement, to save a round trip on the hot path.
  const { events, jobs } = memory.take();
  return memory.remember.save(state, {
    threads: placement.threads,
    turns: placement.turns.map((turn) => ({
      ...turn,
      wordCount: readings.get(turn.index)?.words ?? 0,
      cues: readings.get(turn.index)?.cues ?? null,
    })),
    lateThreadIds: placement.lateThreadIds,
    events: events.map((event, index) => ({ ...event, number: state.lastEvent + 1 + index })),
    jobs,
    recordedAt: memory.now,
    isLastStatement,
    lastThread: Math.max(state.lastThread, ...placement.threads.map((thread) => thread.id)),
  });
}

/** The events of threads, in order: each thread's turns come after it was opened and before it became idle. */
function eventsOf({ threads, turns, notes }: Placement): EventDraft[] {
  const turnsOf = byThread(turns);
  const notesOf = byThread(notes);
  return threads.flatMap(({ id }) => {
    const added = turnsOf.get(id) ?? [];
    const notesOfKind = (kinds: readonly string[]) =>
      (notesOf.get(id) ?? []).filter(({ kind }) => kinds.includes(kind));
    const remembered: EventDraft[] = added.length
      ? [
          {
            kind: 'TURNS_REMEMBERED',
            threadId: id,
            firstTurnId: (added[0] as { id: number }).id,
            lastTurnId: (added.at(-1) as { id: number }).id,
            decision: `turns.remember (${added.length})`,
          },
        ]
      : [];
    return [
      ...notesOfKind(['THREAD_OPENED', 'THREAD_REOPENED']),
      ...remembered,
      ...notesOfKind(['THREAD_IDLED']),
    ];
  });
}

/** Groups items by thread, keeping their order. */
function byThread<T extends { threadId: number }>(items: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(item.threadId);
    if (group) group.push(item);
    else groups.set(item.threadId, [item]);
  }
  return groups;
}

/** Reports changes. An open thread is segmented once 20 turns are pending or the first of them is old, any other at once. */
function reportChanges(memory: Memory, { threads, turns, lateThreadIds }: Placement): void {
  const turnsOf = byThread(turns);
  if (turns.length > 0) memory.changed('turnsStored');
  if (lateThreadIds.length > 0) memory.changed('outOfOrderTurnsStored');
  for (const thread of threads) {
    const { id, state, idleAt, turnCount, segmentedThrough, lastActivityAt } = thread;
    // Turns that were pending before have triggered the step already.
    const added = turnsOf.get(id) ?? [];
    const oldest = added[0]?.occurredAt;
    const pending = turnCount - segmentedThrough;
    // There were too few pending turns before, and there are enough now.
    const isEnough = pending >= FLOOR && pending - added.length < FLOOR;
    const isDue = state !== 'OPEN' || pending >= WINDOW || isEnough;
    const dueAt = new Date((oldest ?? lastActivityAt).getTime() + OLDEST);
    memory.changed('turnsPending', id, isDue ? memory.now : dueAt);
    if (state === 'OPEN') memory.changed('threadActive', id, idleAt);
  }
}
