import type { EventKind } from '@mnemograph/client';
import { type QueryMeta, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { PastEventsQuery } from '../generated/graphql.ts';
import { TimeZone } from '../ui/time.tsx';
import { createEventLog, type EventLog } from './events.ts';
import { ALL_EVENTS, PAST_EVENTS, SESSION, SETTINGS } from './operations.ts';
import { pagesKey, queryOf, renewAll, useGraph } from './queries.ts';
import { isUnauthenticated, useSession } from './session.tsx';
import { together } from './together.ts';
import { requestOf } from './typed.ts';

type Log = ReturnType<typeof createEventLog>;
const OpenMemory = createContext<{ userId: string; log: Log } | null>(null);

/** At most this often are queries run again because of events, in milliseconds. */
const RENEW_EVERY = 250;
/** How long before the memory is opened its newest events may have been read, in milliseconds. */
const AHEAD = 5_000;

/** Opens the memory of a user for the screens below, and follows its events for all of them. */
export function MemoryProvider({
  userId,
  onRead,
  children,
}: {
  userId: string;
  /** Is told when the newest events were read, or cannot be. */
  onRead: () => void;
  children: ReactNode;
}) {
  const { memory } = useSession();
  const queries = useQueryClient();
  const log = useMemo(() => {
    const happened = new Set<EventKind>();
    const renew = together(() => {
      const kinds = new Set(happened);
      happened.clear();
      void queries.invalidateQueries({ predicate: ({ meta }) => isOld(meta, kinds) });
    }, RENEW_EVERY);
    const onEvents = (kinds: ReadonlySet<EventKind>) => {
      for (const kind of kinds) happened.add(kind);
      renew();
    };
    // The log has read what the first page of all events is.
    const onPast = (past: PastEventsQuery) =>
      queries.setQueryData(pagesKey(PAST_EVENTS, { userId, ...ALL_EVENTS }), {
        pages: [past],
        pageParams: [undefined],
      });
    // They may have been asked for while the server was asked who asks; that answer is of use once.
    const newest = queryOf(requestOf(memory), PAST_EVENTS, { userId });
    const askFirst = () =>
      queries
        .fetchQuery({ ...newest, staleTime: AHEAD, retry: false })
        .finally(() => queries.removeQueries({ queryKey: newest.queryKey }));
    return createEventLog(memory, userId, { onEvents, onPast, askFirst });
  }, [memory, userId, queries]);
  useEffect(() => log.start(), [log]);
  const { error, state } = useSyncExternalStore(log.subscribe, log.get);
  useEffect(() => {
    if (isUnauthenticated(error)) void queries.resetQueries({ queryKey: [SESSION] });
  }, [error, queries]);
  useEffect(() => {
    if (state !== 'loading') onRead();
  }, [state, onRead]);
  const settings = useGraph(SETTINGS, { userId });
  const value = useMemo(() => ({ userId, log }), [userId, log]);
  return (
    <OpenMemory value={value}>
      <TimeZone value={settings.data?.user?.timeZone ?? undefined}>{children}</TimeZone>
    </OpenMemory>
  );
}

function isOld(meta: QueryMeta | undefined, kinds: ReadonlySet<EventKind>): boolean {
  if (kinds.has('MEMORY_FORGOTTEN') || meta?.renewOn === 'any') return true;
  return meta?.renewOn?.some((kind) => kinds.has(kind)) ?? false;
}

function useOpenMemory() {
  const open = use(OpenMemory);
  if (!open) throw new Error('This screen needs a MemoryProvider.');
  return open;
}

/** The user whose memory is open. */
export const useUserId = (): string => useOpenMemory().userId;

/** The newest events of the memory that is open. */
export function useEventLog(): EventLog {
  const { log } = useOpenMemory();
  return useSyncExternalStore(log.subscribe, log.get);
}

/** A function that follows the events anew after a failure. What happened meanwhile is asked for again. */
export function useRestart(): () => void {
  const { log } = useOpenMemory();
  const queries = useQueryClient();
  return () => {
    log.restart();
    renewAll(queries);
  };
}
