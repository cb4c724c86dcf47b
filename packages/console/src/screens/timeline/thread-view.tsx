import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress } from '../../app/address.ts';
import { ForgetLink } from '../../app/forget-link.tsx';
import { useUserId } from '../../app/memory.tsx';
import { useChange, useGraph } from '../../app/queries.ts';
import type { TimelineThreadQuery } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/plural.ts';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Failed, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import { CLOSE, COMPACT, THREAD } from './operations.ts';
import { THREAD_CHANGES } from './thread-changes.ts';
import { ThreadTurns } from './thread-turns.tsx';

export type OpenThread = NonNullable<TimelineThreadQuery['thread']>;

/** A thread word for word, with its cuts and what was decided about each segment. */
export function ThreadView({ id, actions }: { id: string; actions?: ReactNode }) {
  const userId = useUserId();
  const query = useGraph(THREAD, { userId, id }, { renewOn: THREAD_CHANGES });
  return (
    <Panel
      isFlush
      title="Thread"
      actions={
        <>
          {query.data?.thread && <Actions thread={query.data.thread} />}
          {actions}
        </>
      }
    >
      <Loaded query={query}>
        {({ thread }) =>
          thread ? (
            <>
              <Heading thread={thread} />
              <ThreadTurns thread={thread} />
            </>
          ) : (
            <Empty>There is no such thread in this memory. It may have been forgotten.</Empty>
          )
        }
      </Loaded>
    </Panel>
  );
}

const summarized = (through: number, turnCount: number): string =>
  through < turnCount ? `the first ${through} summarized` : 'all summarized';

function Heading({ thread }: { thread: OpenThread }) {
  const { title, summary, state, startedAt, lastActivityAt, turnCount, compactedThrough } = thread;
  return (
    <div className="border-b border-line px-4 py-3">
      {title && (
        <h3 dir="auto" className="words font-semibold">
          {title}
        </h3>
      )}
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <Time at={startedAt} /> – <Time at={lastActivityAt} />
        <span>{plural(turnCount, 'turn')}</span>
        {compactedThrough > 0 && <span>{summarized(compactedThrough, turnCount)}</span>}
        <Badge tone={state === 'OPEN' ? 'accent' : 'plain'}>{inWords(state)}</Badge>
      </p>
      {summary && <Words>{summary}</Words>}
    </div>
  );
}

function Actions({ thread: { id, state } }: { thread: OpenThread }) {
  const userId = useUserId();
  const [{ user }] = useAddress();
  const compact = useChange(COMPACT, (data) => data.compact);
  const close = useChange(CLOSE, (data) => data.closeThread);
  const variables = { userId, threadId: id };
  const error = compact.error ?? close.error;
  return (
    <>
      {error && <Failed error={error} />}
      <Link
        to="/live"
        search={{ user, thread: id }}
        className="px-1 text-[13px] text-accent hover:underline"
      >
        Events
      </Link>
      <ForgetLink id={id} />
      <Button disabled={compact.isPending} onClick={() => compact.mutate(variables)}>
        Compact
      </Button>
      <Button
        disabled={close.isPending || state === 'CLOSED'}
        onClick={() => close.mutate(variables)}
      >
        Close thread
      </Button>
    </>
  );
}
