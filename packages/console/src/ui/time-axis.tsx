import type { ScaleTime } from 'd3-scale';
import { use } from 'react';
import { formatTime, TimeZone } from './time.tsx';

const DAY = 86_400_000;

/** The axis of a picture over time: a line with dates, or clock times if it spans less than two days. */
export function TimeAxis({ scale, y }: { scale: ScaleTime<number, number>; y: number }) {
  const zone = use(TimeZone);
  const [from, to] = scale.domain() as [Date, Date];
  const style = to.getTime() - from.getTime() < 2 * DAY ? 'clock' : 'short';
  const [left, right] = scale.range() as [number, number];
  const ticks = scale.ticks(Math.max(2, Math.floor((right - left) / 110)));
  return (
    <g transform={`translate(0 ${y})`} aria-hidden>
      <line x1={left} x2={right} className="stroke-line" />
      {ticks.map((tick) => (
        <g key={tick.getTime()} transform={`translate(${scale(tick)} 0)`}>
          <line y2={4} className="stroke-mark" />
          <text y={16} textAnchor="middle" className="fill-muted text-[11px]">
            {formatTime(tick, style, zone)}
          </text>
        </g>
      ))}
    </g>
  );
}
