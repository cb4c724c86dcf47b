import { type ScaleTime, scaleTime } from 'd3-scale';
import { TimeAxis } from '../../ui/time-axis.tsx';
import { useWidth } from '../../ui/width.ts';
import type { OpenFact } from './fact-view.tsx';

type Version = {
  id: string;
  value: string;
  name: string;
  from: number;
  to: number;
  known: number;
  until: number;
};

const HEIGHT = 220;
const LEFT = 8;
const BOTTOM = 24;

/** The beliefs of a history as rectangles. What was believed never to have been true has none. */
function versionsOf(history: OpenFact['history'], now: number): Version[] {
  const end = (time: string | null | undefined) => (time ? Date.parse(time) : now);
  return history.flatMap(({ id, value, versions }) =>
    versions.flatMap(({ number, validFrom, validTo, recordedAt, supersededAt }) =>
      validFrom
        ? [
            {
              id,
              value,
              name: `${id} ${number}`,
              from: Date.parse(validFrom),
              to: end(validTo),
              known: Date.parse(recordedAt),
              until: end(supersededAt),
            },
          ]
        : [],
    ),
  );
}

/** When a fact held, from left to right, and when that was known, from bottom to top: a rectangle for each belief. */
export function TwoTimelines({
  history,
  chosen,
}: {
  history: OpenFact['history'];
  chosen: string;
}) {
  const [box, width] = useWidth<HTMLDivElement>();
  const now = Date.now();
  const versions = versionsOf(history, now);
  const scale = (from: (version: Version) => number, range: [number, number]) =>
    scaleTime([Math.min(now - 60_000, ...versions.map(from)), now], range);
  const x = scale(({ from }) => from, [LEFT, Math.max(LEFT + 1, width - LEFT)]);
  const y = scale(({ known }) => known, [HEIGHT - BOTTOM, 8]);
  return (
    <figure ref={box} className="flex flex-col gap-2">
      <svg
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={`${versions.length} beliefs; the table below lists them`}
      >
        {versions.map((version) => (
          <Belief
            key={version.name}
            version={version}
            x={x}
            y={y}
            isChosen={version.id === chosen}
            isHeld={version.until >= now}
          />
        ))}
        <TimeAxis scale={x} y={HEIGHT - BOTTOM} />
      </svg>
      <figcaption className="text-xs text-muted">
        Left to right: when it was true. Bottom to top: when that was known. Filled: held now.
      </figcaption>
    </figure>
  );
}

type Scale = ScaleTime<number, number>;

function Belief({
  version: { value, from, to, known, until },
  x,
  y,
  isChosen,
  isHeld,
}: {
  version: Version;
  x: Scale;
  y: Scale;
  isChosen: boolean;
  isHeld: boolean;
}) {
  const width = Math.max(3, x(to) - x(from));
  const height = Math.max(3, y(known) - y(until));
  const tone = isChosen ? 'fill-accent stroke-accent' : 'fill-mark stroke-mark';
  return (
    <g transform={`translate(${x(from)} ${y(until)})`}>
      <title>{value}</title>
      <rect width={width} height={height} className={tone} fillOpacity={isHeld ? 0.3 : 0.08} />
      {width > 60 && height > 16 && (
        <text x={6} y={15} className="fill-ink text-[11px]">
          {value.length > width / 7 ? `${value.slice(0, Math.floor(width / 7) - 1)}…` : value}
        </text>
      )}
    </g>
  );
}
