import { Badge, inWords } from '../../ui/badge.tsx';
import { CHOICES } from '../../ui/chosen.tsx';
import { Time } from '../../ui/time.tsx';
import type { ListedEpisode } from './episodes.tsx';

/** What an episode is called. */
export const titleOf = ({
  title,
  summary,
}: {
  title?: string | null | undefined;
  summary?: string | null | undefined;
}): string => title ?? summary ?? 'nothing in it could be named';

/** Episodes as a list, the latest first, each with how surely it is still recalled. */
export function EpisodeList({
  episodes,
  chosen,
  onChoose,
}: {
  episodes: readonly ListedEpisode[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <ul className={CHOICES}>
      {episodes.map((episode) => (
        <li key={episode.id} className="border-b border-line last:border-0">
          <button
            type="button"
            aria-pressed={chosen === episode.id}
            onClick={() => onChoose(episode.id)}
            className="grid w-full grid-cols-[minmax(0,1fr)_max-content] gap-x-3 gap-y-0.5 px-4 py-2 text-left hover:bg-raised aria-pressed:bg-accent-soft/60"
          >
            <span dir="auto" className="truncate">
              {titleOf(episode)}
            </span>
            <Recalled share={episode.retrievability} />
            <span className="col-span-2 flex flex-wrap items-center gap-2 text-xs text-muted">
              <Time at={episode.startedAt} style="day" />
              <Badge>{inWords(episode.kind)}</Badge>
              {episode.capture && (
                <Badge tone={episode.capture === 'CREATED' ? 'accent' : 'plain'}>
                  {inWords(episode.capture)}
                </Badge>
              )}
              {episode.capture === 'SKIPPED' && <span>{episode.captureReason}</span>}
              {episode.keyMoment && <Badge tone="warn">key moment</Badge>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Recalled({ share }: { share: number | null | undefined }) {
  if (share == null) return <span />;
  return (
    <span className="flex items-center gap-1.5 text-xs tabular-nums">
      <svg viewBox="0 0 40 4" aria-hidden className="h-1 w-10 rounded bg-raised">
        <rect width={40 * share} height={4} className="fill-accent" />
      </svg>
      {Math.round(share * 100)} %
    </span>
  );
}
