import { use } from 'react';
import { type CollapsedScale, collapsedScale } from '../../ui/collapsed-scale.ts';
import { threadName } from '../../ui/thread-name.ts';
import { formatTime, TimeZone } from '../../ui/time.tsx';
import { useNewestFirst, useWidth } from '../../ui/width.ts';
import type { ListedThread } from './timeline.tsx';

type Choice = { chosen: string | undefined; onChoose: (id: string) => void };

/** A lane needs this much room for its name. */
const NAME = 96;

const timesOf = ({ startedAt, endedAt }: { startedAt: string; endedAt: string }) => ({
  from: Date.parse(startedAt),
  to: Date.parse(endedAt),
});

/** When the last segment that was read ended. */
const tailOf = ({ segments, startedAt }: ListedThread): number =>
  Date.parse(segments.edges.at(-1)?.node.endedAt ?? startedAt);

/** When a thread was talked in: its segments, and what is in none yet. */
function spansOf(thread: ListedThread) {
  const { segments, lastActivityAt } = thread;
  const spans = segments.edges.map(({ node }) => timesOf(node));
  const last = Date.parse(lastActivityAt);
  const tail = tailOf(thread);
  if (segments.pageInfo.hasNextPage) return [...spans, { from: tail, to: last }];
  if (spans.length === 0) return [{ from: tail, to: last }];
  return last > tail ? [...spans, { from: last, to: last }] : spans;
}

/** Threads as bars in lanes by channel; cuts between segments are gaps, key moments are marked. */
export function Lanes({ threads, ...choice }: { threads: readonly ListedThread[] } & Choice) {
  const [box, width] = useWidth<HTMLDivElement>();
  useNewestFirst(box, width > 0, choice.chosen);
  const zone = use(TimeZone);
  const scale = collapsedScale(threads.flatMap(spansOf), Math.max(0, width - NAME));
  const channels = [...new Set(threads.flatMap(({ channels }) => channels))].sort();
  return (
    <div className="flex">
      <div aria-hidden className="shrink-0 border-r border-line pt-6" style={{ width: NAME }}>
        {channels.map((channel) => (
          <div key={channel} dir="auto" className="h-8 truncate px-3 leading-8 text-muted">
            {channel}
          </div>
        ))}
      </div>
      <div ref={box} className="min-w-0 flex-1 overflow-x-auto pb-2">
        <div className="relative pt-6" style={{ width: scale.width }}>
          {scale.stretches.map(({ at, left, right }) => (
            <div
              key={at}
              aria-hidden
              className="absolute inset-y-0 border-l border-dashed border-line"
              style={{ left: left - 6, width: right - left + 12 }}
            >
              <span className="absolute left-1 top-1 truncate text-[11px] text-muted">
                {formatTime(new Date(at), 'short', zone)}
              </span>
            </div>
          ))}
          {channels.map((channel) => (
            <ul key={channel} aria-label={channel} className="relative h-8">
              {threads
                .filter(({ channels: its }) => its.includes(channel))
                .map((thread) => (
                  <li key={thread.id}>
                    <Bar thread={thread} scale={scale} {...choice} />
                  </li>
                ))}
            </ul>
          ))}
        </div>
      </div>
    </div>
  );
}

const DASHED = 'border border-dashed border-ink/60';

/** What the marks in the lanes mean. */
export function LanesLegend({ threads }: { threads: readonly ListedThread[] }) {
  const hasMore = threads.some(({ segments }) => segments.pageInfo.hasNextPage);
  return (
    <ul className="flex flex-wrap gap-3 text-xs text-muted">
      {[
        ['bg-accent rounded-sm', 'became an episode'],
        ['bg-mark/60 rounded-sm', 'found word for word only'],
        ['bg-warn rounded-full', 'key moment'],
        ...(hasMore ? [[`rounded-sm ${DASHED}`, 'further segments, not drawn one by one']] : []),
      ].map(([look, text]) => (
        <li key={text} className="flex items-center gap-1.5">
          <span aria-hidden className={`size-2.5 ${look}`} />
          {text}
        </li>
      ))}
    </ul>
  );
}

const NARROWEST = 5;

function Bar({
  thread,
  scale: { x },
  chosen,
  onChoose,
}: { thread: ListedThread; scale: CollapsedScale } & Choice) {
  const { id, startedAt, lastActivityAt, segments } = thread;
  const left = x(Date.parse(startedAt));
  const right = Math.max(left + NARROWEST, x(Date.parse(lastActivityAt)));
  const isChosen = chosen === id;
  const name = threadName(thread);
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      aria-pressed={isChosen}
      onClick={() => onChoose(id)}
      className="absolute top-1.5 h-5 rounded-sm border-b-2 border-mark hover:border-accent aria-pressed:border-accent"
      style={{ left, width: right - left }}
    >
      {segments.edges.map(({ node }) => {
        const { from, to } = timesOf(node);
        const isKept = node.capture === 'CREATED' || node.capture === 'MERGED';
        return (
          <span
            key={node.id}
            className={`absolute inset-y-0 rounded-sm ${isKept ? 'bg-accent' : 'bg-mark/60'} ${isChosen ? '' : 'opacity-75'}`}
            style={{ left: x(from) - left, width: Math.max(NARROWEST, x(to) - x(from) - 2) }}
          >
            {node.keyMoment && (
              <span className="absolute -top-1 left-0 size-2 rounded-full border border-surface bg-warn" />
            )}
          </span>
        );
      })}
      {segments.pageInfo.hasNextPage && (
        <span
          className={`absolute inset-y-0 right-0 rounded-sm ${DASHED}`}
          style={{ left: Math.min(right - NARROWEST, x(tailOf(thread))) - left }}
        />
      )}
    </button>
  );
}
