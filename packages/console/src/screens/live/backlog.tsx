import { area, curveStepAfter } from 'd3-shape';
import { useEffect, useState } from 'react';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import type { BacklogQuery } from '../../generated/graphql.ts';
import { Panel } from '../../ui/screen.tsx';
import { Loaded } from '../../ui/states.tsx';
import { BACKLOG } from './operations.ts';

type Backlog = NonNullable<BacklogQuery['user']>['backlog'];
type Point = { at: number; count: number };

const NAMES: readonly (readonly [keyof Backlog, string])[] = [
  ['turnsToIndex', 'turns to index'],
  ['turnsToEmbed', 'turns to embed'],
  ['turnsToSegment', 'turns to segment'],
  ['turnsToCapture', 'turns to capture'],
  ['threadsToCompact', 'threads to compact'],
];
const KEPT = 200;

/**
 * What is still queued, and how it drains while one watches.
 * @param isDue whether what matters more was read
 */
export function BacklogPanel({ isDue }: { isDue: boolean }) {
  const userId = useUserId();
  const query = useGraph(BACKLOG, { userId }, { renewOn: 'any', enabled: isDue });
  const [points, setPoints] = useState<Point[]>([]);
  const { data, dataUpdatedAt: at } = query;
  useEffect(() => {
    const backlog = data?.user?.backlog;
    if (!backlog) return;
    const count = NAMES.reduce((sum, [name]) => sum + backlog[name], 0);
    // Two points make the first line.
    const begin = (before: Point[]) => (before.length > 0 ? before : [{ at: at - 1, count }]);
    setPoints((before) => [...begin(before), { at, count }].slice(-KEPT));
  }, [data, at]);
  return (
    <Panel title="Backlog">
      <Loaded query={query}>
        {({ user }) => (
          <div className="flex flex-col gap-2">
            <Draining points={points} />
            <dl className="grid grid-cols-[1fr_max-content] gap-x-3">
              {NAMES.map(([name, text]) => (
                <div key={name} className="contents">
                  <dt className="text-muted">{text}</dt>
                  <dd className="text-right tabular-nums">{user?.backlog[name] ?? 0}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function Draining({ points }: { points: Point[] }) {
  const most = Math.max(1, ...points.map(({ count }) => count));
  const first = points[0]?.at ?? 0;
  const span = Math.max(1, (points.at(-1)?.at ?? 0) - first);
  const path = area<Point>()
    .x(({ at }) => ((at - first) / span) * 200)
    .y0(30)
    .y1(({ count }) => 30 - (count / most) * 28)
    .curve(curveStepAfter)(points);
  const now = points.at(-1)?.count ?? 0;
  return (
    <svg
      viewBox="0 0 200 30"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${now} things are queued; at most ${most} were since this page was opened`}
      className="h-8 w-full rounded bg-raised"
    >
      <path d={path ?? ''} className="fill-accent/40" />
    </svg>
  );
}
