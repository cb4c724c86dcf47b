import { inWords } from '../../ui/badge.tsx';
import type { RecalledHit } from './hit.ts';

type Explanation = Pick<RecalledHit['explain'], 'parts'>;

const GROUPS = [
  ['words', ['BM25'], 'fill-accent', 'bg-accent'],
  ['meaning', ['VECTOR'], 'fill-accent/60', 'bg-accent/60'],
  ['summary of its segment', ['SEGMENT_SUMMARY'], 'fill-accent/30', 'bg-accent/30'],
  ['other signals', [], 'fill-mark', 'bg-mark'],
] as const;
const NAMED: ReadonlySet<string> = new Set(GROUPS.flatMap(([, names]) => names));

/** How much all parts add that add something. */
export const sumOf = ({ parts }: Explanation): number =>
  parts.reduce((sum, { value }) => sum + Math.max(0, value), 0);

/** The parts of a score side by side; what is taken off lies over their end. */
export function ScoreBar({ of: { parts }, most }: { of: Explanation; most: number }) {
  let x = 0;
  const pieces = GROUPS.map(([name, names, fill]) => {
    const isIn = (part: string) =>
      names.length > 0 ? (names as readonly string[]).includes(part) : !NAMED.has(part);
    const added = sumOf({ parts: parts.filter(({ name: part }) => isIn(part)) });
    const width = (added / most) * 100;
    const piece = { name, fill, added, x, width };
    x += width;
    return piece;
  });
  const taken = parts.reduce((sum, { value }) => sum + Math.max(0, -value), 0);
  const off = Math.min(x, (taken / most) * 100);
  return (
    <svg
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Score parts: ${pieces.map(({ name, added }) => `${name} ${added.toFixed(2)}`).join(', ')}`}
      className="h-2 w-full rounded-sm bg-raised"
    >
      {pieces.map((piece) => (
        <rect key={piece.name} x={piece.x} width={piece.width} height={8} className={piece.fill} />
      ))}
      <rect x={x - off} width={off} height={8} className="fill-danger" fillOpacity={0.55} />
    </svg>
  );
}

/** What the colours of score bars stand for. */
export function Legend() {
  const entries = [
    ...GROUPS.map(([name, , , tone]) => [name, tone]),
    ['taken off', 'bg-danger/55'],
  ];
  return (
    <ul className="flex flex-wrap gap-x-4 border-b border-line px-4 py-1.5 text-xs text-muted">
      {entries.map(([name, tone]) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden className={`size-2.5 rounded-sm ${tone}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** The parts of a score as a table, and what they are multiplied by. */
export function ScoreTable({ of, score }: { of: RecalledHit['explain']; score: number }) {
  const { parts, fused, forgetting, kindWeight, similarity, retrievability } = of;
  const rows = [
    ...parts
      .filter(({ value }) => value !== 0)
      .map(({ name, value }) => [inWords(name), signed(value)]),
    ['together', fused.toFixed(4)],
    [
      `× fading${retrievability == null ? '' : ` (recalled with ${percent(retrievability)})`}`,
      forgetting.toFixed(3),
    ],
    ['× weight of its kind', kindWeight.toFixed(3)],
    ['score', score.toFixed(4)],
    ...(similarity == null ? [] : [['cosine to the query', similarity.toFixed(3)]]),
  ];
  return (
    <table className="w-full max-w-md text-xs">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name} className="border-b border-line last:border-0">
            <th scope="row" className="py-0.5 text-left font-normal text-muted">
              {name}
            </th>
            <td className="py-0.5 text-right tabular-nums">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
const percent = (share: number) => `${Math.round(share * 100)} %`;
