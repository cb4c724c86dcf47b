import type { OpenEpisode } from './episode-view.tsx';

const SHARES = [
  ['notability', 'notability'],
  ['novelty', 'novelty'],
  ['outcome', 'outcome'],
  ['recallIntent', 'earlier talk asked for'],
  ['routineShare', 'routine'],
  ['factShare', 'only states facts'],
  ['similarity', 'same theme as before'],
] as const;
const COUNTS = ['decisions', 'milestones', 'nextSteps', 'toolChanges'] as const;
const NAMES = {
  decisions: 'decisions',
  milestones: 'milestones',
  nextSteps: 'next steps',
  toolChanges: 'changes by tools',
};

/** The measurements behind a capture decision as bars. */
export function Signals({
  episode: { capture, captureReason, captureSignals: signals },
}: {
  episode: OpenEpisode;
}) {
  if (!signals) return null;
  const counts = COUNTS.filter((name) => signals[name] > 0);
  return (
    <div className="flex flex-col gap-2">
      {captureReason && (
        <p>
          {capture === 'SKIPPED' ? 'Not kept' : 'Kept'}: {captureReason}
        </p>
      )}
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)_2.5rem] items-center gap-x-3 gap-y-1 text-xs">
        {SHARES.map(([name, text]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{text}</dt>
            <dd>
              <svg
                aria-hidden
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                className="h-1.5 w-full rounded bg-raised"
              >
                <rect width={Math.min(1, signals[name]) * 100} height={4} className="fill-accent" />
              </svg>
            </dd>
            <dd className="text-right tabular-nums">{signals[name].toFixed(2)}</dd>
          </div>
        ))}
      </dl>
      {counts.length > 0 && (
        <p className="text-xs text-muted">
          {counts.map((name) => `${signals[name]} ${NAMES[name]}`).join(' · ')}
        </p>
      )}
    </div>
  );
}
