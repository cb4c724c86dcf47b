import { use } from 'react';
import { threadName } from '../../ui/thread-name.ts';
import { formatTime, TimeZone } from '../../ui/time.tsx';
import { useNewestFirst, useWidth } from '../../ui/width.ts';
import type { ListedLink } from './links.tsx';

type End = ListedLink['thread'];

const MOST = 200;
const NARROWEST = 14;
const MARGIN = 24;
const HIGHEST = 110;

/** The threads of links, in the order in which they began; the latest ones if there are too many. */
function threadsOf(links: readonly ListedLink[]): End[] {
  const threads = new Map(
    links.flatMap(({ thread, earlierThread }) =>
      [thread, earlierThread].map((end) => [end.id, end] as const),
    ),
  );
  return [...threads.values()]
    .sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt) || (a.id < b.id ? -1 : 1))
    .slice(-MOST);
}

/** The name of a thread with its channels. */
const labelOf = (thread: End): string => `${threadName(thread)} (${thread.channels.join(', ')})`;

/** Threads in the order of time, joined by arcs. A thread that is chosen shows its own links only. */
export function Arcs({
  links,
  chosen,
  focus,
  onFocus,
}: {
  links: readonly ListedLink[];
  chosen: string | undefined;
  focus: string | undefined;
  onFocus: (id: string) => void;
}) {
  const [box, room] = useWidth<HTMLDivElement>();
  useNewestFirst(box, room > 0, focus);
  const zone = use(TimeZone);
  const threads = threadsOf(links);
  const step = Math.max(NARROWEST, (room - 2 * MARGIN) / Math.max(1, threads.length - 1));
  const places = new Map(threads.map(({ id }, place) => [id, MARGIN + place * step]));
  const width = 2 * MARGIN + step * Math.max(0, threads.length - 1);
  const labelEvery = Math.ceil(64 / step);
  return (
    <div ref={box} className="overflow-x-auto">
      <div className="relative" style={{ width, height: 2 * HIGHEST + 30 }}>
        <svg
          width={width}
          height={2 * HIGHEST + 30}
          role="img"
          aria-label={`${links.length} links between ${threads.length} threads; the table lists them`}
          className="absolute inset-0"
        >
          {links.map((link) => (
            <Arc
              key={link.id}
              joins={link.joins}
              isChosen={link.id === chosen}
              from={places.get(link.earlierThread.id)}
              to={places.get(link.thread.id)}
            />
          ))}
        </svg>
        {threads.map((thread, place) => (
          <div
            key={thread.id}
            className="absolute"
            style={{ left: places.get(thread.id), top: HIGHEST }}
          >
            <button
              type="button"
              title={labelOf(thread)}
              aria-label={`Links of ${labelOf(thread)}`}
              aria-pressed={thread.id === focus}
              onClick={() => onFocus(thread.id)}
              className="absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-ink hover:bg-accent aria-pressed:bg-accent"
            />
            {place % labelEvery === 0 && (
              <span
                aria-hidden
                className="absolute top-2 -translate-x-1/2 bg-surface px-0.5 text-[11px] whitespace-nowrap text-muted"
              >
                {formatTime(thread.startedAt, 'short', zone)}
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

const LOOKS = {
  joined: { className: 'stroke-accent', strokeWidth: 1.5, opacity: 0.75 },
  refused: { className: 'stroke-mark', strokeWidth: 1, opacity: 0.5, strokeDasharray: '3 3' },
};

/** A flat half of an ellipse, above the line or below it. */
function Arc({
  joins,
  isChosen,
  from,
  to,
}: {
  joins: boolean;
  isChosen: boolean;
  from: number | undefined;
  to: number | undefined;
}) {
  if (from === undefined || to === undefined) return null;
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const radius = (right - left) / 2;
  const height = Math.min(HIGHEST - 10, radius);
  return (
    <path
      fill="none"
      d={`M${left},${HIGHEST}A${radius},${height} 0 0 ${joins ? 1 : 0} ${right},${HIGHEST}`}
      {...(joins ? LOOKS.joined : LOOKS.refused)}
      {...(isChosen ? { strokeWidth: 3.5, opacity: 1 } : {})}
    />
  );
}
