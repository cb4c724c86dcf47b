import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { OpenThread } from './thread-view.tsx';
import { heightOf, TURNS_A_PAGE, TurnPage } from './turn-page.tsx';

/**
 * The turns of a thread. Only pages around what is visible are read and drawn, so that a long thread scrolls as a short one
 * does. The list knows the places of pages, not of turns: the height of a page counts once it was drawn, an estimate before.
 */
export function ThreadTurns({ thread: { id, turnCount } }: { thread: OpenThread }) {
  const region = useRef<HTMLElement>(null);
  const pages = useVirtualizer({
    count: Math.ceil(turnCount / TURNS_A_PAGE),
    getScrollElement: () => region.current,
    estimateSize: (page) => heightOf(page, turnCount),
    overscan: 1,
  });
  return (
    <section
      ref={region}
      aria-label="Turns"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by the arrow keys
      tabIndex={0}
      className="h-[70vh] overflow-y-auto"
    >
      <div className="relative" style={{ height: pages.getTotalSize() }}>
        {pages.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={pages.measureElement}
            data-index={index}
            className="absolute inset-x-0 contain-content"
            style={{ transform: `translateY(${start}px)` }}
          >
            <TurnPage threadId={id} page={index} turnCount={turnCount} />
          </div>
        ))}
      </div>
    </section>
  );
}
