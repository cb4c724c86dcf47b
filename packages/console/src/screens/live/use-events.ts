import type { EventKind } from '@mnemograph/client';
import { useEffect } from 'react';
import { type LoggedEvent, MOST, merged } from '../../app/events.ts';
import { useEventLog, useUserId } from '../../app/memory.tsx';
import { PAST_EVENTS } from '../../app/operations.ts';
import { fromTheEnd, usePages } from '../../app/queries.ts';

/** Which events to show; null stands for no limit. */
type EventFilter = {
  threadId: string | null;
  kinds: EventKind[] | null;
  from: string | null;
  to: string | null;
};

/** The events that a filter lets through, the earliest first: those of the log, and those before it page by page. */
export function useEventsOf(filter: EventFilter) {
  const userId = useUserId();
  const log = useEventLog();
  const isRead = log.state !== 'loading';
  const past = usePages(
    PAST_EVENTS,
    { userId, ...filter },
    ({ user }) => fromTheEnd(user?.events),
    // The newest events come first, from the log.
    { renewOn: ['MEMORY_FORGOTTEN'], enabled: isRead },
  );
  useReadAgain(log.events, past.refetch);
  const known = past.error ? [] : past.nodes;
  const events = merged(known, log.events).filter((event) => isIn(event, filter));
  const isLoading = past.isPending || past.isPlaceholderData || !isRead;
  return { events, past, error: past.error, retry: () => void past.refetch(), isLoading, isRead };
}

function isIn(event: LoggedEvent, { threadId, kinds, from, to }: EventFilter): boolean {
  const at = Date.parse(event.at);
  if (threadId !== null && event.thread?.id !== threadId) return false;
  if (kinds !== null && !kinds.includes(event.kind)) return false;
  return (from === null || at >= Date.parse(from)) && (to === null || at < Date.parse(to));
}

/** The log drops its oldest events when it is full. They are read again before the pages lack any of them. */
function useReadAgain(events: readonly LoggedEvent[], read: () => unknown): void {
  const oldest = events.length < MOST ? undefined : events[0]?.number;
  const stretch = oldest === undefined ? null : Math.floor(oldest / (MOST / 2));
  useEffect(() => {
    if (stretch !== null) void read();
  }, [stretch, read]);
}
