import { scaleLog } from 'd3-scale';
import { useAddress } from '../../app/address.ts';
import { useWidth } from '../../ui/width.ts';
import { keyOf, type RecalledHit, wordsOf } from './hit.ts';

const TOP = 26;
const ROW = 18;
const SIDE = 28;
const COLUMNS = ['words', 'meaning', 'final'] as const;

/** How each hit ranks by words, by meaning and in the end. The figures stand with the hits. */
export function Ranks({ hits }: { hits: readonly RecalledHit[] }) {
  const [{ hit: chosen }] = useAddress();
  const [box, width] = useWidth<HTMLDivElement>();
  const ranks = hits.map(({ explain: { bm25Rank, vectorRank }, rank }) => [
    bm25Rank ?? null,
    vectorRank ?? null,
    rank,
  ]);
  const last = Math.max(2, ...ranks.flat().map((rank) => rank ?? 1));
  const height = TOP + Math.max(6, Math.min(14, hits.length)) * ROW;
  const y = scaleLog([1, last], [TOP, height - 10]);
  const x = (column: number) => SIDE + ((width - 2 * SIDE) / 2) * column;
  return (
    <div ref={box}>
      <svg
        width="100%"
        height={height}
        role="img"
        aria-label={`Ranks of ${hits.length} hits by words, by meaning and in the end`}
      >
        {COLUMNS.map((name, column) => (
          <g key={name} transform={`translate(${x(column)} 0)`}>
            <line y1={TOP - 8} y2={height} className="stroke-line" />
            <text y={12} textAnchor="middle" className="fill-muted text-[11px]">
              {name}
            </text>
          </g>
        ))}
        {hits.map((hit, row) => (
          <Path
            key={keyOf(hit)}
            label={wordsOf(hit)}
            points={(ranks[row] ?? []).flatMap((rank, column) =>
              rank === null ? [] : [{ x: x(column), y: y(rank), rank, column }],
            )}
            isChosen={keyOf(hit) === chosen || (!chosen && row === 0)}
          />
        ))}
      </svg>
    </div>
  );
}

type Point = { x: number; y: number; rank: number; column: number };

function Path({ label, points, isChosen }: { label: string; points: Point[]; isChosen: boolean }) {
  const tone = isChosen ? 'stroke-accent fill-accent' : 'stroke-mark fill-mark';
  const end = points.at(-1);
  return (
    <g className={tone}>
      <title>{label}</title>
      <polyline
        points={points.map((point) => `${point.x},${point.y}`).join(' ')}
        fill="none"
        strokeWidth={isChosen ? 2 : 1}
        strokeOpacity={isChosen ? 1 : 0.6}
      />
      {points.map((point) => (
        <circle key={point.column} cx={point.x} cy={point.y} r={isChosen ? 3 : 2} stroke="none" />
      ))}
      {end && (isChosen || end.rank <= 5) && (
        <text x={end.x + 8} y={end.y + 4} className="fill-muted stroke-none text-[11px]">
          {end.rank}
        </text>
      )}
    </g>
  );
}
