import { MINUTE } from '../../shared/duration.ts';

export type ThreadState = 'OPEN' | 'IDLE' | 'CLOSED';

/** A thread with the fields that the rules for placing turns need. Times are event time. */
export type ThreadSpan = {
  id: number;
  explicit: boolean;
  state: ThreadState;
  /** The thread's own timeout in minutes, if it has one. */
  inactivityTimeoutMinutes: number | null;
  startedAt: Date;
  lastActivityAt: Date;
};

/** Timeouts in minutes. The first that is set applies: thread, user, channel, default (requirements 2.7). */
export type Timeouts = { user: number | null; channel: number | null; default: number };

export type ThreadChoice = { kind: 'continue'; threadId: number } | { kind: 'new' };

/** The inactivity timeout in force for a turn of this thread, in minutes. */
export function timeoutOf(
  thread: Pick<ThreadSpan, 'inactivityTimeoutMinutes'>,
  timeouts: Timeouts,
): number {
  return thread.inactivityTimeoutMinutes ?? timeouts.user ?? timeouts.channel ?? timeouts.default;
}

/**
 * Decides which thread a turn of an implicit channel belongs to (requirements 2.4, 1.7).
 *
 * A turn at or after the latest implicit thread's last activity continues that thread, unless more than the timeout has
 * passed. A late turn goes to the thread whose period contains it, else to the nearest within the timeout (the earlier of two
 * equally near ones), else to a new thread. A closed thread takes only late turns from before its last turn, since they were
 * said before it closed.
 *
 * @param threads the user's threads that may be chosen, including the latest; explicit ones are ignored
 */
export function chooseThread(
  occurredAt: Date,
  threads: readonly ThreadSpan[],
  timeouts: Timeouts,
): ThreadChoice {
  const at = occurredAt.getTime();
  const implicit = threads.filter((thread) => !thread.explicit);
  const latest = implicit.reduce<ThreadSpan | null>(
    (best, thread) => (best === null || isLater(thread, best) ? thread : best),
    null,
  );
  if (latest === null) return { kind: 'new' };
  if (at >= latest.lastActivityAt.getTime()) {
    const gap = at - latest.lastActivityAt.getTime();
    const continues = latest.state !== 'CLOSED' && gap <= timeoutOf(latest, timeouts) * MINUTE;
    return continues ? { kind: 'continue', threadId: latest.id } : { kind: 'new' };
  }
  const near = implicit
    .map((thread) => ({ thread, distance: distanceTo(thread, at) }))
    .filter(({ thread, distance }) =>
      thread.state === 'CLOSED'
        ? distance === 0 && at < thread.lastActivityAt.getTime()
        : distance <= timeoutOf(thread, timeouts) * MINUTE,
    )
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        a.thread.startedAt.getTime() - b.thread.startedAt.getTime() ||
        a.thread.id - b.thread.id,
    )[0];
  return near ? { kind: 'continue', threadId: near.thread.id } : { kind: 'new' };
}

/** When a thread becomes idle if no other turn comes: its last activity plus its timeout. */
export function idleAt(lastActivityAt: Date, timeoutMinutes: number): Date {
  return new Date(lastActivityAt.getTime() + timeoutMinutes * MINUTE);
}

function isLater(a: ThreadSpan, b: ThreadSpan): boolean {
  const difference = a.lastActivityAt.getTime() - b.lastActivityAt.getTime();
  return difference > 0 || (difference === 0 && a.id > b.id);
}

/** Milliseconds between a moment and a thread's period; 0 within it. */
function distanceTo(thread: ThreadSpan, at: number): number {
  const start = thread.startedAt.getTime();
  const end = thread.lastActivityAt.getTime();
  if (at < start) return start - at;
  return at > end ? at - end : 0;
}
