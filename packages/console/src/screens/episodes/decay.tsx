import { scaleLinear, scaleTime } from 'd3-scale';
import { line } from 'd3-shape';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import { inWords } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/states.tsx';
import { TimeAxis } from '../../ui/time-axis.tsx';
import { useWidth } from '../../ui/width.ts';
import { type CurvePoint, pastCurve } from './decay-curve.ts';
import type { OpenEpisode } from './episode-view.tsx';
import { DECAY } from './operations.ts';

const DAY = 86_400_000;
const MONTH = 30;
const MOST_DAYS = 3_650;
const HEIGHT = 190;
const BOTTOM = 24;
const LEFT = 34;

/** How surely the episode is recalled: up to now, with each review, and from now on if nothing happens. */
export function Decay({ episode }: { episode: OpenEpisode }) {
  const userId = useUserId();
  const { id, endedAt, lastReviewedAt } = episode;
  const asOf = lastReviewedAt && lastReviewedAt > endedAt ? lastReviewedAt : endedAt;
  const since = Math.max(0, (Date.now() - Date.parse(asOf)) / DAY);
  const days = Math.min(MOST_DAYS, Math.ceil(since + Math.max(MONTH, since / 3)));
  const query = useGraph(DECAY, { userId, id, asOf, days });
  return (
    <Loaded query={query}>
      {(data) => {
        const curve = data.episode?.decay;
        if (!curve) return <p className="text-muted">An episode of this kind does not fade.</p>;
        const start = Date.parse(asOf);
        const points = [
          ...pastCurve(episode, curve),
          ...curve.map(({ day, retrievability: share }) => ({ at: start + day * DAY, share })),
        ];
        return <Picture episode={episode} points={points} />;
      }}
    </Loaded>
  );
}

function Picture({ episode, points }: { episode: OpenEpisode; points: readonly CurvePoint[] }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const now = Date.now();
  const from = points[0]?.at ?? now;
  const to = points.at(-1)?.at ?? now;
  const x = scaleTime([from, to], [LEFT, Math.max(LEFT + 1, width - 12)]);
  const y = scaleLinear([0, 1], [HEIGHT - BOTTOM, 10]);
  const path = line<CurvePoint>()
    .x(({ at }) => x(at))
    .y(({ share }) => y(share));
  const share = episode.retrievability ?? 0;
  const past = points.filter(({ at }) => at <= now);
  const future = points.filter(({ at }) => at >= now);
  const here = { at: now, share };
  return (
    <figure ref={box} className="flex flex-col gap-1">
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Forgetting curve: recalled with ${Math.round(share * 100)} % today, after ${episode.reviews.length} reviews`}
      >
        {[0, 0.5, 0.9, 1].map((level) => (
          <g key={level} transform={`translate(0 ${y(level)})`}>
            <line x1={LEFT} x2={width - 12} className="stroke-line" />
            <text x={LEFT - 6} y={4} textAnchor="end" className="fill-muted text-[11px]">
              {level * 100}
            </text>
          </g>
        ))}
        <path d={path([...past, here]) ?? ''} className="fill-none stroke-accent stroke-2" />
        <path
          d={path([here, ...future]) ?? ''}
          strokeDasharray="4 3"
          className="fill-none stroke-accent stroke-[1.5]"
        />
        {episode.reviews.map(({ number, at, rating }) => (
          <g key={number} transform={`translate(${x(Date.parse(at))} ${y(1)})`}>
            <title>{inWords(rating)}</title>
            <line y2={HEIGHT - BOTTOM - y(1)} strokeDasharray="2 3" className="stroke-mark" />
            <circle r={3.5} className="fill-surface stroke-accent stroke-2" />
          </g>
        ))}
        <g transform={`translate(${x(now)} ${y(share)})`}>
          <circle r={4} className="fill-accent" />
          <text x={8} y={-6} className="fill-ink text-[11px] font-medium">
            {Math.round(share * 100)} % today
          </text>
        </g>
        <TimeAxis scale={x} y={HEIGHT - BOTTOM} />
      </svg>
      <figcaption className="text-xs text-muted">
        Probability of recall in per cent. Circles are reviews; dashed: from today on, without
        another one.
      </figcaption>
    </figure>
  );
}
