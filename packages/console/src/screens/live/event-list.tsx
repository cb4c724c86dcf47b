import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import type { LoggedEvent } from '../../app/events.ts';
import { EventRow } from './event-row.tsx';

/** The height of a row that is not opened. */
const HEIGHT = 32;

/** The events of a log, the newest first. Only the visible ones are in the page. */
export function EventList({ events }: { events: readonly LoggedEvent[] }) {
  const region = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<number | null>(null);
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
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const event = eventAt(events, index);
          const isOpen = event.number === opened;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute inset-x-0 border-b border-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <EventRow
                event={event}
                isOpen={isOpen}
                onOpen={() => setOpened(isOpen ? null : event.number)}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const eventAt = (events: readonly LoggedEvent[], row: number) =>
  events[events.length - 1 - row] as LoggedEvent;
