import { Badge, inWords } from '../../ui/badge.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import type { OpenEpisode } from './episode-view.tsx';

/** The reviews of an episode, its former summaries, and the skills found in it; nothing where there are none. */
export function EpisodeHistory({ episode }: { episode: OpenEpisode }) {
  const { reviews, revisions, skills, summary } = episode;
  return (
    <>
      {reviews.length > 0 && (
        <Panel title="Reviews">
          <ul className="flex flex-col gap-1">
            {reviews.map(({ number, rating, at, byHand, before, after }) => (
              <li key={number} className="flex flex-wrap items-center gap-x-3">
                <Time at={at} />
                <Badge tone={rating === 'AGAIN' ? 'warn' : 'accent'}>{inWords(rating)}</Badge>
                <span className="text-xs text-muted tabular-nums">
                  stability {before.stability.toFixed(1)} → {after.stability.toFixed(1)} days,{' '}
                  {byHand ? 'by hand' : 'by how the talk went on'}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {revisions.length > 0 && (
        <Panel title="Former summaries">
          <div className="flex flex-col gap-3">
            {revisions.map(({ number, recordedAt, summary: former }) => (
              <div key={number}>
                <p className="text-xs text-muted">
                  until <Time at={recordedAt} />
                </p>
                <Words>{former}</Words>
              </div>
            ))}
            {summary && (
              <div>
                <p className="text-xs text-muted">now</p>
                <Words>{summary}</Words>
              </div>
            )}
          </div>
        </Panel>
      )}
      {skills.length > 0 && (
        <Panel title="Skills found in it">
          <ul className="flex flex-col gap-2">
            {skills.map(({ name, description, useCount }) => (
              <li key={name}>
                <p className="font-medium">
                  <Words>{name}</Words>
                </p>
                <Words>{description}</Words>
                <p className="text-xs text-muted">recalled {useCount}×</p>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
