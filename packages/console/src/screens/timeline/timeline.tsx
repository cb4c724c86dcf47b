import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { usePages } from '../../app/queries.ts';
import { SpanFields, useSpan } from '../../app/span.tsx';
import type { ThreadState, TimelineThreadsQuery } from '../../generated/graphql.ts';
import { Button } from '../../ui/button.tsx';
import { Chosen } from '../../ui/chosen.tsx';
import { SearchField, Select, TextField } from '../../ui/field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Loaded, More } from '../../ui/states.tsx';
import { Lanes, LanesLegend } from './lanes.tsx';
import { THREADS } from './operations.ts';
import { ThreadList } from './thread-list.tsx';
import { ThreadView } from './thread-view.tsx';

/** A thread in the list, with its segments. */
export type ListedThread = NonNullable<
  TimelineThreadsQuery['user']
>['threads']['edges'][number]['node'];

const CHANGES = [
  'THREAD_OPENED',
  'THREAD_REOPENED',
  'THREAD_IDLED',
  'THREAD_CLOSED',
  'THREAD_COMPACTED',
  'TURNS_REMEMBERED',
  'SEGMENT_CLOSED',
  'EPISODE_CREATED',
  'EPISODE_MERGED',
  'EPISODE_SKIPPED',
] as const;

const STATES = [
  ['', 'any state'],
  ['OPEN', 'open'],
  ['IDLE', 'idle'],
  ['CLOSED', 'closed'],
] as const;

/** Threads in lanes by channel, and one of them word for word. */
export function TimelineScreen() {
  const userId = useUserId();
  const span = useSpan();
  const [{ words, channel, state, from, to, thread }, change] = useAddress();
  const query = usePages(
    THREADS,
    {
      userId,
      words: words || null,
      channel: channel || null,
      state: (state as ThreadState) || null,
      ...span,
    },
    ({ user }) => user?.threads,
    { renewOn: CHANGES },
  );
  const threads: ListedThread[] = query.nodes;
  const isFiltered = [words, channel, state, from, to].some(Boolean);
  return (
    <Screen
      title="Timeline"
      about="Threads in lanes by channel; long silences are collapsed."
      toolbar={
        <>
          <SearchField
            label="Words"
            value={words ?? ''}
            onSearch={(typed) => change({ words: typed || undefined }, true)}
          />
          <TextField
            label="Channel"
            className="w-28"
            value={channel ?? ''}
            onChange={({ target }) => change({ channel: target.value || undefined }, true)}
          />
          <Select
            label="State"
            options={STATES}
            value={state ?? ''}
            onChoose={(chosen) => change({ state: chosen || undefined })}
          />
          <SpanFields />
        </>
      }
    >
      <Loaded query={query}>
        {() =>
          threads.length === 0 ? (
            <Panel>
              <Empty>
                {isFiltered
                  ? 'No thread is like this.'
                  : 'Nothing was said yet. Threads appear here once turns are remembered.'}
              </Empty>
            </Panel>
          ) : (
            <>
              <Panel title="Lanes" actions={<LanesLegend threads={threads} />} isFlush>
                <Lanes
                  threads={threads}
                  chosen={thread}
                  onChoose={(id) => change({ thread: id })}
                />
              </Panel>
              <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
                <Panel title="Threads" isFlush>
                  <ThreadList
                    threads={threads}
                    chosen={thread}
                    onChoose={(id) => change({ thread: id })}
                  />
                  <More query={query} />
                </Panel>
                <Chosen of={thread}>
                  {thread ? (
                    <ThreadView
                      key={thread}
                      id={thread}
                      actions={
                        <Button onClick={() => change({ thread: undefined })}>Close view</Button>
                      }
                    />
                  ) : (
                    <Panel>
                      <Empty>Choose a thread to read it word for word.</Empty>
                    </Panel>
                  )}
                </Chosen>
              </div>
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}
