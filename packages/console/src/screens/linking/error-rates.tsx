import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useWidth } from '../../ui/width.ts';
import type { TuningRun } from './linking.tsx';

const HEIGHT = 190;
const BOTTOM = 22;
const LEFT = 34;
const RIGHT = 24;

type Rates = TuningRun['thresholds'][number];
const RATES = [
  ['falsePositiveRate', 'linked, though unrelated', 'stroke-accent', undefined],
  ['falseNegativeRate', 'not linked, though related', 'stroke-ink', '5 3'],
] as const;

/** How often the algorithm alone is wrong at each threshold, with the thresholds before and after the run. */
export function ErrorRates({ run: { thresholds, previous, next } }: { run: TuningRun }) {
  const [box, width] = useWidth<HTMLElement>();
  if (thresholds.length === 0) {
    return <p className="text-muted">This run compared no thresholds.</p>;
  }
  const all = thresholds.map(({ threshold }) => threshold);
  const ends = [...all, previous.threshold, next.threshold];
  const x = scaleLinear(
    [Math.min(...ends), Math.max(...ends)],
    [LEFT, Math.max(LEFT + 1, width - RIGHT)],
  );
  const most = Math.max(0.1, ...thresholds.flatMap((one) => RATES.map(([name]) => one[name])));
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, 20]).nice();
  return (
    <figure ref={box} className="flex flex-col gap-1">
      <svg
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={labelOf(thresholds, previous.threshold, next.threshold)}
      >
        {y.ticks(4).map((level) => (
          <g key={level} transform={`translate(0 ${y(level)})`}>
            <line x1={LEFT} x2={width - RIGHT} className="stroke-line" />
            <text x={LEFT - 6} y={4} textAnchor="end" className="fill-muted text-[11px]">
              {Math.round(level * 100)} %
            </text>
          </g>
        ))}
        {x.ticks(6).map((level) => (
          <text
            key={level}
            x={x(level)}
            y={HEIGHT - 6}
            textAnchor="middle"
            className="fill-muted text-[11px]"
          >
            {level.toFixed(2)}
          </text>
        ))}
        {RATES.map(([name, , stroke, dashes]) => {
          const path = line<Rates>()
            .x(({ threshold }) => x(threshold))
            .y((one) => y(one[name]));
          return (
            <path
              key={name}
              d={path([...thresholds]) ?? ''}
              strokeDasharray={dashes}
              className={`fill-none stroke-2 ${stroke}`}
            />
          );
        })}
        <Threshold x={x(previous.threshold)} name="before" />
        {next.threshold !== previous.threshold && <Threshold x={x(next.threshold)} name="after" />}
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-muted">
        {RATES.map(([name, text, stroke, dashes]) => (
          <span key={name} className="flex items-center gap-1.5">
            <svg aria-hidden width={18} height={4}>
              <line
                x2={18}
                y1={2}
                y2={2}
                strokeDasharray={dashes}
                className={`stroke-2 ${stroke}`}
              />
            </svg>
            {text}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

const labelOf = (thresholds: readonly Rates[], before: number, after: number): string =>
  `Error rates at ${thresholds.length} thresholds; ` +
  `the threshold was ${before.toFixed(3)} and became ${after.toFixed(3)}`;

function Threshold({ x, name }: { x: number; name: string }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <line y1={18} y2={HEIGHT - BOTTOM} className="stroke-mark" />
      <text y={12} textAnchor="middle" className="fill-ink text-[11px]">
        {name}
      </text>
    </g>
  );
}
