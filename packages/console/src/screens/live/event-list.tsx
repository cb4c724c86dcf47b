import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useAddress } from '../../app/address.ts';
import type { LoggedEvent } from '../../app/events.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { groupOf } from './groups.ts';
import { jumpOf } from './jump.ts';

const HEIGHT = 32;

/** The events of a log, the newest first. Only the visible ones are in the page. */
export function EventList({ events }: { events: readonly LoggedEvent[] }) {
  const region = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => region.current,
    estimateSize: () => HEIGHT,
    getItemKey: (row) => eventAt(events, row).number,
    overscan: 12,
  });
  return (
    <section
      ref={region}
      aria-label="Events"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by the arrow keys
      tabIndex={0}
      className="h-[55vh] overflow-y-auto"
    >
      <ol className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            className="absolute inset-x-0 border-b border-line"
            style={{ height: HEIGHT, transform: `translateY(${start}px)` }}
          >
            <EventRow event={eventAt(events, index)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const eventAt = (events: readonly LoggedEvent[], row: number) =>
  events[events.length - 1 - row] as LoggedEvent;

function EventRow({ event }: { event: LoggedEvent }) {
  const { number, kind, at, decision } = event;
  const isBad = kind === 'JOB_DIED' || kind === 'TURN_UNREAD';
  const [{ user }] = useAddress();
  const jump = jumpOf(event, user);
  return (
    <div
      data-event={number}
      className="grid h-full grid-cols-[4.5rem_minmax(0,11rem)_minmax(0,1fr)] items-center gap-3 px-4 md:grid-cols-[4.5rem_13rem_minmax(0,1fr)_minmax(0,16rem)]"
    >
      <span className="text-muted">
        <Time at={at} style="clock" />
      </span>
      <span className="truncate">
        <Badge tone={isBad ? 'danger' : groupOf(kind) === 'facts' ? 'accent' : 'plain'}>
          {inWords(kind)}
        </Badge>
      </span>
      <span className="truncate max-md:hidden" title={decision}>
        {decision}
      </span>
      <span className="truncate text-right">
        <Link
          to={jump.path}
          search={jump.search}
          dir="auto"
          className="text-accent hover:underline"
        >
          {jump.text}
        </Link>
      </span>
    </div>
  );
}
