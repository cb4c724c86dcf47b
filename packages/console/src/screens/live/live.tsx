import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { SpanFields, useSpan } from '../../app/span.tsx';
import { inWords } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Failed, Loading, More } from '../../ui/states.tsx';
import { ActivityPanel } from './activity.tsx';
import { BacklogPanel } from './backlog.tsx';
import { EventList } from './event-list.tsx';
import { GROUPS, KINDS, kindsOf } from './groups.ts';
import { useEventsOf } from './use-events.ts';

/** Groups of kinds, then single kinds. */
const ABOUT = [
  ['', 'everything'],
  ...GROUPS.map((group) => [group, group] as const),
  ...KINDS.map((kind) => [kind, inWords(kind)] as const),
] as const;

/** Every decision as it happens. */
export function LiveScreen() {
  const [{ group = '', thread = '' }, change] = useAddress();
  const span = useSpan();
  const filter = { threadId: thread || null, kinds: kindsOf(group), ...span };
  const { events, past, error, retry, isLoading, isRead } = useEventsOf(filter);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const shown = pausedAt === null ? events : events.filter(({ number }) => number <= pausedAt);
  const isFiltered = [group, thread, span.from, span.to].some(Boolean);
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
            options={ABOUT}
          />
          <SpanFields />
          {thread !== '' && (
            <Button onClick={() => change({ thread: undefined })}>All threads</Button>
          )}
          <PauseButton
            missed={pausedAt === null ? null : events.length - shown.length}
            onPause={() => setPausedAt(pausedAt === null ? (events.at(-1)?.number ?? 0) : null)}
          />
        </>
      }
    >
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <ActivityPanel isDue={isRead} />
        <BacklogPanel isDue={isRead} />
      </div>
      <Panel title="Events" isFlush>
        {error && <Failed error={error} onRetry={retry} />}
        {shown.length > 0 && <EventList events={shown} />}
        {shown.length === 0 && isLoading && !error && <Loading lines={8} />}
        {shown.length === 0 && !isLoading && !error && (
          <Empty>
            {isFiltered
              ? 'No event is like this.'
              : 'Nothing yet. Events appear here as soon as something is remembered.'}
          </Empty>
        )}
        <More query={past} />
      </Panel>
    </Screen>
  );
}

/** Holds the list still. `missed` is how many events came meanwhile, or null if it is not held. */
function PauseButton({ missed, onPause }: { missed: number | null; onPause: () => void }) {
  const Icon = missed === null ? Pause : Play;
  return (
    <Button onClick={onPause} aria-pressed={missed !== null}>
      <Icon aria-hidden className="size-3.5" />
      {missed === null ? 'Pause' : `Go on (${missed} new)`}
    </Button>
  );
}
