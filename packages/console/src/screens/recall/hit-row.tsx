import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import { type RecalledHit, wordsOf } from './hit.ts';
import { ScoreBar, ScoreTable } from './score-bar.tsx';

/** A hit with the parts of its score; opened, with all of them in figures. */
export function HitRow({
  hit,
  most,
  isChosen,
  before,
  onChoose,
}: {
  hit: RecalledHit;
  most: number;
  isChosen: boolean;
  /** Its rank in the run to compare with. */
  before: number | 'new' | null;
  onChoose: () => void;
}) {
  const { rank, score, kind, explain } = hit;
  return (
    <li className={`border-b border-line last:border-0 ${isChosen ? 'bg-accent-soft/40' : ''}`}>
      <button
        type="button"
        aria-expanded={isChosen}
        onClick={onChoose}
        className="grid w-full grid-cols-[1.75rem_minmax(0,1fr)_3.5rem] gap-x-2 px-4 py-2 text-left hover:bg-raised"
      >
        <span className="text-muted tabular-nums">{rank}</span>
        <Words isClipped={!isChosen}>{wordsOf(hit)}</Words>
        <span className="text-right font-medium tabular-nums">{score.toFixed(3)}</span>
        <span className="col-start-2 mt-1 flex flex-wrap items-center gap-x-2 text-xs text-muted">
          <Badge>{inWords(kind)}</Badge>
          <Said hit={hit} />
          <span>
            words {explain.bm25Rank ?? '–'} · meaning {explain.vectorRank ?? '–'}
          </span>
          {before !== null && <Moved from={before} to={rank} />}
        </span>
        <span className="col-span-2 col-start-2 mt-1.5">
          <ScoreBar of={explain} most={most} />
        </span>
      </button>
      {isChosen && (
        <div className="flex flex-col gap-2 px-4 pb-3 pl-[3.25rem]">
          <ScoreTable of={explain} score={score} />
          <Origin hit={hit} />
        </div>
      )}
    </li>
  );
}

function Said({ hit }: { hit: RecalledHit }) {
  if ('turn' in hit) {
    const { speaker, role, occurredAt, channel } = hit.turn;
    return (
      <span className="flex flex-wrap gap-x-2">
        <span dir="auto">{speaker ?? inWords(role)}</span>
        <Time at={occurredAt} />
        <span>{channel}</span>
      </span>
    );
  }
  if ('fact' in hit) return <Time at={hit.fact.validFrom} style="day" />;
  if ('episode' in hit && hit.episode) return <Time at={hit.episode.startedAt} style="day" />;
  return null;
}

function Moved({ from, to }: { from: number | 'new'; to: number }) {
  if (from === 'new') return <Badge tone="accent">new</Badge>;
  if (from === to) return <span>same rank</span>;
  return <Badge tone="warn">{from > to ? `up from ${from}` : `down from ${from}`}</Badge>;
}

function Origin({ hit }: { hit: RecalledHit }) {
  const [{ user }] = useAddress();
  const look = 'text-xs text-accent hover:underline';
  if ('turn' in hit) {
    return (
      <Link to="/timeline" search={{ user, thread: hit.turn.thread.id }} className={look}>
        Open its thread
      </Link>
    );
  }
  if ('fact' in hit) {
    return (
      <Link to="/facts" search={{ user, fact: hit.fact.id }} className={look}>
        Open the fact
      </Link>
    );
  }
  if (!('episode' in hit) || !hit.episode) return null;
  return (
    <Link to="/episodes" search={{ user, episode: hit.episode.id }} className={look}>
      Open the episode
    </Link>
  );
}
