import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { ForgetLink } from '../../app/forget-link.tsx';
import { useUserId } from '../../app/memory.tsx';
import { useChange, useGraph } from '../../app/queries.ts';
import type { MemoryRating, OneEpisodeQuery } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Failed, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { TurnText, Words } from '../../ui/words.tsx';
import { Decay } from './decay.tsx';
import { EpisodeHistory } from './episode-history.tsx';
import { titleOf } from './episode-list.tsx';
import { EPISODE, EPISODE_CHANGES, RATE } from './operations.ts';
import { Signals } from './signals.tsx';

export type OpenEpisode = NonNullable<OneEpisodeQuery['episode']>;

/** An episode: its summaries, how it fades, its reviews, former summaries, skills and turns. */
export function EpisodeView({ id }: { id: string }) {
  const userId = useUserId();
  const query = useGraph(EPISODE, { userId, id }, { renewOn: EPISODE_CHANGES });
  return (
    <Loaded query={query}>
      {({ episode }) =>
        episode ? (
          <div className="flex min-w-0 flex-col gap-4">
            <Panel
              title="Episode"
              actions={
                <>
                  {episode.stability != null && <Rating id={id} />}
                  <ForgetLink id={id} />
                </>
              }
            >
              <About episode={episode} />
            </Panel>
            {episode.stability != null && (
              <Panel title="How it fades">
                <Decay episode={episode} />
              </Panel>
            )}
            {episode.captureSignals && (
              <Panel title="Why it was kept, or not">
                <Signals episode={episode} />
              </Panel>
            )}
            <EpisodeHistory episode={episode} />
            <Panel title="Its turns, word for word" isFlush>
              {episode.turns.map((turn) => (
                <div key={turn.id} className="border-b border-line last:border-0">
                  <TurnText turn={turn} />
                </div>
              ))}
            </Panel>
          </div>
        ) : (
          <Panel>
            <Empty>There is no such episode in this memory. It may have been forgotten.</Empty>
          </Panel>
        )
      }
    </Loaded>
  );
}

const RATINGS: readonly (readonly [MemoryRating, string, string])[] = [
  ['AGAIN', 'Not used', 'It was of no use: it fades sooner'],
  ['HARD', 'Remote', 'It was only remotely related'],
  ['GOOD', 'Used', 'It was used: it lasts longer'],
  ['EASY', 'Built on', 'The conversation was built on it: it lasts much longer'],
];

function Rating({ id }: { id: string }) {
  const userId = useUserId();
  const rate = useChange(RATE, (data) => data.rateMemory);
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5">
      <legend className="sr-only">Rate this episode</legend>
      <span aria-hidden className="text-xs text-muted">
        Was it of use?
      </span>
      {rate.error && <Failed error={rate.error} />}
      {RATINGS.map(([rating, text, about]) => (
        <Button
          key={rating}
          title={about}
          disabled={rate.isPending}
          onClick={() => rate.mutate({ userId, id, rating })}
        >
          {text}
        </Button>
      ))}
    </fieldset>
  );
}

function About({ episode }: { episode: OpenEpisode }) {
  const [{ user }] = useAddress();
  const { kind, capture, keyMoment, startedAt, endedAt, stability, mergedInto } = episode;
  const threads = episode.thread ? [episode.thread] : episode.threads;
  const summaries = [
    ['', episode.micro ?? episode.summary],
    ['in a paragraph', episode.meso],
    ['what lasts', episode.macro],
    ['approach', episode.approach],
  ] as const;
  return (
    <div className="flex flex-col gap-3">
      <h3 dir="auto" className="words text-[15px] font-medium">
        {titleOf(episode)}
      </h3>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <Badge>{inWords(kind)}</Badge>
        {capture && (
          <Badge tone={capture === 'CREATED' ? 'accent' : 'plain'}>{inWords(capture)}</Badge>
        )}
        {keyMoment && <Badge tone="warn">key moment</Badge>}
        <Time at={startedAt} /> – <Time at={endedAt} />
        {stability != null && <span>stability {stability.toFixed(1)} days</span>}
      </p>
      {summaries.map(
        ([name, text]) =>
          text && (
            <div key={name}>
              {name && <h4 className="text-xs font-medium text-muted">{name}</h4>}
              <Words>{text}</Words>
            </div>
          ),
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {threads.map(({ id, title }) => (
          <Link
            key={id}
            to="/timeline"
            search={{ user, thread: id }}
            className="text-accent hover:underline"
          >
            <span dir="auto">{title ?? 'Open its thread'}</span>
          </Link>
        ))}
        {mergedInto && (
          <Link
            to="/episodes"
            search={{ user, episode: mergedInto.id }}
            className="text-accent hover:underline"
          >
            merged into <span dir="auto">{titleOf(mergedInto)}</span>
          </Link>
        )}
      </p>
    </div>
  );
}
