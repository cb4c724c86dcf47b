import type { OpenLink } from './link-view.tsx';

const PARTS = ['keyword', 'entity', 'topic', 'recency'] as const;
const TONES = ['fill-accent', 'fill-accent/75', 'fill-accent/50', 'fill-accent/30'];
const SWATCHES = ['bg-accent', 'bg-accent/75', 'bg-accent/50', 'bg-accent/30'];

/** The parts of the algorithmic score, each by its weight, as one bar against the threshold. */
export function ScoreParts({
  link: { parts, weights, threshold, algorithmicScore },
}: {
  link: OpenLink;
}) {
  const known = PARTS.filter((name) => parts[name] != null);
  const total = known.reduce((sum, name) => sum + weights[name], 0) || 1;
  let x = 0;
  const pieces = PARTS.map((name, place) => {
    const width = ((parts[name] ?? 0) * weights[name] * 100) / total;
    const piece = { name, x, width, tone: TONES[place] };
    if (parts[name] != null) x += width;
    return piece;
  });
  return (
    <figure className="flex flex-col gap-2">
      <svg
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Algorithmic score ${algorithmicScore.toFixed(2)}, threshold ${threshold.toFixed(2)}`}
        className="h-6 w-full rounded bg-raised"
      >
        {pieces.map((piece) => (
          <rect
            key={piece.name}
            x={piece.x}
            width={piece.width}
            height={10}
            className={piece.tone}
          />
        ))}
        <line
          x1={threshold * 100}
          x2={threshold * 100}
          y2={10}
          vectorEffect="non-scaling-stroke"
          className="stroke-ink stroke-2"
        />
      </svg>
      <figcaption>
        <ul className="flex flex-wrap gap-x-4 text-xs text-muted">
          {PARTS.map((name, place) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden className={`size-2.5 rounded-sm ${SWATCHES[place]}`} />
              {name} {parts[name] == null ? 'unknown' : parts[name].toFixed(2)} ×{' '}
              {weights[name].toFixed(2)}
            </li>
          ))}
          <li>threshold {threshold.toFixed(2)}</li>
        </ul>
      </figcaption>
    </figure>
  );
}
