import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { usePages } from '../../app/queries.ts';
import type { CaptureStatus, EpisodeKind, EpisodeListQuery } from '../../generated/graphql.ts';
import { Button } from '../../ui/button.tsx';
import { Chosen } from '../../ui/chosen.tsx';
import { Select } from '../../ui/field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Loaded, More } from '../../ui/states.tsx';
import { EpisodeList } from './episode-list.tsx';
import { EpisodeView } from './episode-view.tsx';
import { EPISODE_CHANGES, EPISODES } from './operations.ts';
import { WEEK, Weeks } from './weeks.tsx';

export type ListedEpisode = NonNullable<
  EpisodeListQuery['user']
>['episodes']['edges'][number]['node'];

const KINDS = [
  ['', 'all'],
  ['SEGMENT', 'segments'],
  ['PRIMARY', 'whole threads'],
  ['CROSS_THREAD', 'linked threads'],
] as const;
const CAPTURES = [
  ['', 'any decision'],
  ['CREATED', 'kept on their own'],
  ['MERGED', 'merged'],
  ['SKIPPED', 'not kept'],
  ['PENDING', 'not decided yet'],
] as const;
const FADING = [
  ['', 'any'],
  ['0.9', 'below 90 %'],
  ['0.7', 'below 70 %'],
  ['0.5', 'below 50 %'],
] as const;

/** What was kept as episodes, and how it fades. */
export function EpisodesScreen() {
  const userId = useUserId();
  const [{ kind, capture, below, week, episode }, change] = useAddress();
  const query = usePages(
    EPISODES,
    {
      userId,
      kind: (kind as EpisodeKind) || null,
      capture: capture ? [capture as CaptureStatus] : null,
      below: below ? Number(below) : null,
      from: week ?? null,
      to: week ? new Date(Date.parse(week) + WEEK).toISOString() : null,
    },
    ({ user }) => user?.episodes,
    { renewOn: EPISODE_CHANGES },
  );
  const episodes: ListedEpisode[] = query.nodes;
  const filter = (
    name: string,
    label: string,
    value: string | undefined,
    options: typeof KINDS | typeof CAPTURES | typeof FADING,
  ) => (
    <Select
      label={label}
      options={options}
      value={value ?? ''}
      onChoose={(chosen) => change({ [name]: chosen || undefined })}
    />
  );
  return (
    <Screen
      title="Episodes"
      about="What happened, what of it was kept, and how it fades unless it is used."
      toolbar={
        <>
          {filter('kind', 'Kind', kind, KINDS)}
          {filter('capture', 'Capture', capture, CAPTURES)}
          {filter('below', 'Recalled with', below, FADING)}
          {week && <Button onClick={() => change({ week: undefined })}>All weeks</Button>}
        </>
      }
    >
      <Panel title="Week by week">
        <Weeks
          chosen={week}
          onChoose={(start) => change({ week: start === week ? undefined : start })}
        />
      </Panel>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Panel title="Episodes" isFlush>
          <Loaded query={query}>
            {() =>
              episodes.length === 0 ? (
                <Empty>
                  {kind || capture || below || week
                    ? 'No episode is like this.'
                    : 'No conversation has ended yet. Episodes are made when a thread falls silent.'}
                </Empty>
              ) : (
                <>
                  <EpisodeList
                    episodes={episodes}
                    chosen={episode}
                    onChoose={(id) => change({ episode: id })}
                  />
                  <More query={query} />
                </>
              )
            }
          </Loaded>
        </Panel>
        <Chosen of={episode}>
          {episode ? (
            <EpisodeView key={episode} id={episode} />
          ) : (
            <Panel>
              <Empty>Choose an episode to see how it fades and what it was made from.</Empty>
            </Panel>
          )}
        </Chosen>
      </div>
    </Screen>
  );
}
