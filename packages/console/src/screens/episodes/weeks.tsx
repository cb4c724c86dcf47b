import { use, useRef } from 'react';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import { Loaded } from '../../ui/states.tsx';
import { formatTime, TimeZone } from '../../ui/time.tsx';
import { useNewestFirst } from '../../ui/width.ts';
import { LATEST, WEEKS } from './operations.ts';

/** A week in milliseconds. */
export const WEEK = 7 * 86_400_000;
const SHOWN = 26;
const ROWS = [
  ['TURN', 'turns'],
  ['EPISODE', 'episodes'],
  ['FACT', 'facts'],
  ['REVIEW', 'reviews'],
] as const;

type Choice = { chosen: string | undefined; onChoose: (start: string) => void };

/** What happened in each of the weeks up to the latest episode: one column a week, which filters the list. */
export function Weeks(choice: Choice) {
  const userId = useUserId();
  const query = useGraph(LATEST, { userId }, { renewOn: ['EPISODE_CREATED'] });
  return (
    <Loaded query={query}>
      {({ user }) => {
        const end = user?.episodes.edges[0]?.node.endedAt;
        if (end === undefined) return <p className="text-muted">Nothing has happened yet.</p>;
        return <WeeksUpTo end={end} {...choice} />;
      }}
    </Loaded>
  );
}

function WeeksUpTo({ end, ...choice }: Choice & { end: string }) {
  const userId = useUserId();
  const last = Date.parse(end);
  const span = {
    from: new Date(last - SHOWN * WEEK).toISOString(),
    to: new Date(last + WEEK).toISOString(),
  };
  const query = useGraph(
    WEEKS,
    { userId, ...span },
    { renewOn: ['EPISODE_CREATED', 'MEMORY_REVIEWED'] },
  );
  return (
    <Loaded query={query}>
      {({ user }) => <HeatMap activity={user?.activity ?? []} {...choice} />}
    </Loaded>
  );
}

type Activity = readonly { at: string; kind: string; count: number }[];

function HeatMap({ activity, chosen, onChoose }: Choice & { activity: Activity }) {
  const zone = use(TimeZone);
  const box = useRef<HTMLFieldSetElement>(null);
  useNewestFirst(box, true, chosen);
  const most = (kind: string) =>
    Math.max(1, ...activity.filter((one) => one.kind === kind).map(({ count }) => count));
  const top = ROWS.map(([kind]) => most(kind));
  const first = Math.min(...activity.map(({ at }) => Date.parse(at)));
  const last = Math.max(...activity.map(({ at }) => Date.parse(at)));
  const begins = Array.from({ length: Math.round((last - first) / WEEK) + 1 }, (_, week) => {
    const about = first + week * WEEK;
    // By the calendar a week may be an hour longer or shorter.
    const known = activity.find(({ at }) => Math.abs(Date.parse(at) - about) < WEEK / 2);
    return known?.at ?? new Date(about).toISOString();
  });
  const countOf = (at: string, kind: string) =>
    activity.find((one) => one.at === at && one.kind === kind)?.count ?? 0;
  return (
    <fieldset
      ref={box}
      aria-label="What happened, week by week"
      className="flex min-w-0 gap-2 overflow-x-auto text-xs"
    >
      <div aria-hidden className="sticky left-0 flex flex-col gap-1 bg-surface pr-1 text-muted">
        {ROWS.map(([kind, name]) => (
          <span key={kind} className="h-5 leading-5">
            {name}
          </span>
        ))}
      </div>
      {begins.map((at) => (
        <button
          key={at}
          type="button"
          aria-pressed={at === chosen}
          aria-label={`Week of ${formatTime(at, 'day', zone)}: ${ROWS.map(([kind, name]) => `${countOf(at, kind)} ${name}`).join(', ')}`}
          onClick={() => onChoose(at)}
          className="flex max-w-16 min-w-11 flex-1 flex-col gap-1 rounded-sm aria-pressed:outline-2 aria-pressed:outline-accent"
        >
          {ROWS.map(([kind], row) => {
            const count = countOf(at, kind);
            return (
              <svg key={kind} aria-hidden className="h-5 w-full rounded-sm bg-raised">
                <rect
                  width="100%"
                  height="100%"
                  className="fill-accent"
                  fillOpacity={count ? 0.25 + 0.75 * Math.sqrt(count / (top[row] ?? 1)) : 0}
                />
                <title>{count}</title>
              </svg>
            );
          })}
          <span className="self-center whitespace-nowrap text-muted">
            {formatTime(at, 'short', zone)}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
