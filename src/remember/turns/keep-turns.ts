import type { SaveInput } from '../../db/turns/placements.ts';
import type { HotPathState } from '../../db/turns/remember.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { FLOOR, OLDEST, WINDOW } from '../../domain/segments/segmentation.ts';
import type { Placement } from '../../domain/threads/placement.ts';
import type { TurnReading } from '../../language-threads/rules.ts';
import type { Draft } from '../../memory.ts';

/**
 * Prepares placed turns to be stored, with their events and jobs; null if there are none.
 * @param readings what the rules read, by the turns' indexes
 */
export function prepareTurns(
  draft: Draft,
  userId: string,
  {
    state,
    placement,
    readings,
  }: { state: HotPathState; placement: Placement; readings: ReadonlyMap<number, TurnReading> },
): SaveInput | null {
  if (placement.turns.length === 0) return null;
  draft.record(eventsOf(placement));
  reportChanges(draft, placement);
  // Events and jobs are stored by the same statement, to save a round trip on the hot path.
  const { events, jobs } = draft.take();
  return {
    userId,
    state,
    threads: placement.threads,
    turns: placement.turns.map((turn) => ({
      ...turn,
      wordCount: readings.get(turn.index)?.words ?? 0,
      cues: readings.get(turn.index)?.cues ?? null,
    })),
    lateThreadIds: placement.lateThreadIds,
    events: events.map((event, index) => ({ ...event, number: state.lastEvent + 1 + index })),
    jobs,
    recordedAt: draft.now,
    lastThread: Math.max(state.lastThread, ...placement.threads.map((thread) => thread.id)),
  };
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
function reportChanges(draft: Draft, { threads, turns, lateThreadIds }: Placement): void {
  const turnsOf = byThread(turns);
  if (turns.length > 0) draft.changed('turnsStored');
  if (lateThreadIds.length > 0) draft.changed('outOfOrderTurnsStored');
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
    draft.changed('turnsPending', id, isDue ? draft.now : dueAt);
    if (state === 'OPEN') draft.changed('threadActive', id, idleAt);
  }
}
