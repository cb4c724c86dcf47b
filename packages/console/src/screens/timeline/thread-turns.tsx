import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/states.tsx';
import { TurnText } from '../../ui/words.tsx';
import { type ReadSegment, SegmentNote } from './segment-note.tsx';
import type { OpenThread } from './thread-view.tsx';
import { type ReadTurn, useTurns } from './use-turns.ts';

const HEIGHT = 60;
/** More turns are read when so few are left below. */
const AHEAD = 60;

/** The turns of a thread. Only the visible ones are in the page, so that a long thread scrolls as a short one. */
export function ThreadTurns({ thread }: { thread: OpenThread }) {
  const { query, turns, readMore } = useTurns(thread);
  return (
    <Loaded query={query}>
      {() => <Rows turns={turns} thread={thread} onNearEnd={readMore} />}
    </Loaded>
  );
}

function Rows({
  turns,
  thread,
  onNearEnd,
}: {
  turns: readonly ReadTurn[];
  thread: OpenThread;
  onNearEnd: () => void;
}) {
  const region = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: turns.length,
    getScrollElement: () => region.current,
    estimateSize: () => HEIGHT,
    getItemKey: (row) => turns[row]?.id ?? row,
    overscan: 8,
  });
  const segments = useMemo(
    () => new Map(thread.segments.edges.map(({ node }) => [node.firstTurn, node])),
    [thread],
  );
  const items = rows.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) > turns.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  });
  return (
    <section
      ref={region}
      aria-label="Turns"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by the arrow keys
      tabIndex={0}
      className="h-[70vh] overflow-y-auto"
    >
      <ol className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const turn = turns[index] as ReadTurn;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute inset-x-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row turn={turn} segment={segments.get(turn.number)} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Row({ turn, segment }: { turn: ReadTurn; segment: ReadSegment | undefined }) {
  return (
    <>
      {segment && <SegmentNote segment={segment} />}
      <TurnText turn={turn} />
      {turn.toolCalls.map(({ name, ok }, call) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tool calls never move
        <div key={call} className="px-4 pb-1">
          <Badge tone={ok ? 'plain' : 'danger'}>
            {name} {ok ? 'succeeded' : 'failed'}
          </Badge>
        </div>
      ))}
    </>
  );
}
