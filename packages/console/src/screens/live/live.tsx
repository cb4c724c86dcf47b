import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import type { LoggedEvent } from '../../app/events.ts';
import { useEventLog } from '../../app/memory.tsx';
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
  const { events, state, error } = useEventLog();
  const [held, setHeld] = useState<readonly LoggedEvent[] | null>(null);
  const { group = '', thread = '' } = address;
  const shown = (held ?? events).filter(
    (event) =>
      (group === '' || groupOf(event.kind) === group) &&
      (thread === '' || event.thread?.id === thread),
  );
  const missed = held ? events.filter(({ number }) => number > (held.at(-1)?.number ?? 0)) : [];
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
          <Button onClick={() => setHeld(held ? null : events)} aria-pressed={held !== null}>
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
        {state === 'failed' && error && <Failed error={error} />}
        {state === 'loading' && <Loading lines={8} />}
        {state === 'following' && shown.length === 0 && (
          <Empty>Nothing yet. Events appear here as soon as something is remembered.</Empty>
        )}
        {shown.length > 0 && <EventList events={shown} />}
      </Panel>
    </Screen>
  );
}
