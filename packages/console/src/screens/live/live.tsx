import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { type LoggedEvent, merged } from '../../app/events.ts';
import { useEventLog, useRestart, useUserId } from '../../app/memory.tsx';
import { PAST_EVENTS } from '../../app/operations.ts';
import { useGraph } from '../../app/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { ActivityPanel } from './activity.tsx';
import { BacklogPanel } from './backlog.tsx';
import { EventList } from './event-list.tsx';
import { GROUPS, groupOf } from './groups.ts';

/** Every decision as it happens. */
export function LiveScreen() {
  const [address, change] = useAddress();
  const { group = '', thread = '' } = address;
  const { events, state, error, retry } = useEventsOf(thread);
  const [paused, setPaused] = useState<readonly LoggedEvent[] | null>(null);
  const missed = events.filter(({ number }) => number > (paused?.at(-1)?.number ?? 0));
  // What was forgotten must not stay on the page because it is paused.
  const held = missed.some(({ kind }) => kind === 'MEMORY_FORGOTTEN') ? null : paused;
  const shown = (held ?? events).filter(({ kind }) => group === '' || groupOf(kind) === group);
  return (
    <Screen
      title="Live"
      about="Every decision of this memory as it happens."
      toolbar={
        <>
          <Select
            label="About"
            value={group}
            onChoose={(chosen) => change({ group: chosen || undefined })}
            options={[['', 'everything'], ...GROUPS.map((name) => [name, name] as const)]}
          />
          {thread !== '' && (
            <Button onClick={() => change({ thread: undefined })}>All threads</Button>
          )}
          <Button onClick={() => setPaused(held ? null : events)} aria-pressed={held !== null}>
            {held ? (
              <Play aria-hidden className="size-3.5" />
            ) : (
              <Pause aria-hidden className="size-3.5" />
            )}
            {held ? `Go on (${missed.length} new)` : 'Pause'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <ActivityPanel />
        <BacklogPanel />
      </div>
      <Panel title="Events" isFlush>
        {state === 'failed' && error && <Failed error={error} onRetry={retry} />}
        {state === 'loading' && <Loading lines={8} />}
        {state === 'following' && shown.length === 0 && (
          <Empty>
            {thread === '' && group === ''
              ? 'Nothing yet. Events appear here as soon as something is remembered.'
              : 'No event is like this.'}
          </Empty>
        )}
        {shown.length > 0 && <EventList events={shown} />}
      </Panel>
    </Screen>
  );
}

/** The newest events of a thread, or of the whole memory if it is empty. */
function useEventsOf(thread: string) {
  const userId = useUserId();
  const log = useEventLog();
  const restart = useRestart();
  const past = useGraph(
    PAST_EVENTS,
    { userId, threadId: thread },
    { enabled: thread !== '', renewOn: ['MEMORY_FORGOTTEN'] },
  );
  if (thread === '') return { ...log, retry: restart };
  const edges = past.data?.user?.events.edges ?? [];
  const events = merged(
    edges.map(({ node }) => node),
    log.events.filter((event) => event.thread?.id === thread),
  );
  if (log.state !== 'following') return { ...log, events, retry: restart };
  const retry = () => void past.refetch();
  if (past.error) return { events, state: 'failed' as const, error: past.error, retry };
  return { events, state: past.isPending ? ('loading' as const) : log.state, error: null, retry };
}
