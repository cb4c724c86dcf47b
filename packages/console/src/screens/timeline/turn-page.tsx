import { memo, useEffect, useState } from 'react';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import type { TimelineTurnsQuery } from '../../generated/graphql.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failed } from '../../ui/states.tsx';
import { TurnText } from '../../ui/words.tsx';
import { TURNS } from './operations.ts';
import { type ReadSegment, SegmentNote } from './segment-note.tsx';
import { THREAD_CHANGES } from './thread-changes.ts';

type ReadThread = NonNullable<TimelineTurnsQuery['thread']>;
type ReadTurn = ReadThread['turns']['edges'][number]['node'];

/** So many turns are read and drawn together. */
export const TURNS_A_PAGE = 50;
/** The height of a turn of average length, in pixels. */
const TURN_HEIGHT = 60;
/** A page that leaves sooner, since somebody scrolls fast, is not read, in milliseconds. */
const PASSING = 50;
/** Pages that were left are kept this long, so that a long way through a thread does not fill the tab. */
const KEPT_FOR = 5_000;

/** The height of a page as long as it was not drawn. */
export const heightOf = (page: number, turnCount: number): number =>
  TURN_HEIGHT * Math.min(TURNS_A_PAGE, turnCount - page * TURNS_A_PAGE);

/** A stretch of a thread; until it has been read, its place. */
export const TurnPage = memo(function TurnPage({
  threadId: id,
  page,
  turnCount,
}: {
  threadId: string;
  page: number;
  turnCount: number;
}) {
  const userId = useUserId();
  const from = page * TURNS_A_PAGE + 1;
  const range = { from, to: from + TURNS_A_PAGE - 1, count: TURNS_A_PAGE };
  const { data, error, refetch } = useGraph(
    TURNS,
    { userId, id, ...range },
    { renewOn: THREAD_CHANGES, enabled: useIsStaying(), keptFor: KEPT_FOR },
  );
  if (data?.thread) return <Turns thread={data.thread} from={from} />;
  return (
    <div style={{ minHeight: heightOf(page, turnCount) }} className="p-4">
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Loading" className="h-24 rounded bg-raised" />
      )}
    </div>
  );
});

/** Whether the component is there for longer than somebody takes who scrolls past it. */
function useIsStaying(): boolean {
  const [isStaying, setStaying] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStaying(true), PASSING);
    return () => clearTimeout(timer);
  }, []);
  return isStaying;
}

function Turns({ thread, from }: { thread: ReadThread; from: number }) {
  const segments = new Map(thread.segments.edges.map(({ node }) => [node.firstTurn, node]));
  return (
    <ol start={from}>
      {thread.turns.edges.map(({ node }) => (
        <Row key={node.id} turn={node} segment={segments.get(node.number)} threadId={thread.id} />
      ))}
    </ol>
  );
}

function Row({
  turn,
  segment,
  threadId,
}: {
  turn: ReadTurn;
  segment: ReadSegment | undefined;
  threadId: string;
}) {
  return (
    <li>
      {segment && <SegmentNote segment={segment} threadId={threadId} />}
      <TurnText turn={turn} />
      {turn.toolCalls.map(({ name, ok }, call) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tool calls never move
        <div key={call} className="px-4 pb-1">
          <Badge tone={ok ? 'plain' : 'danger'}>
            {name} {ok ? 'succeeded' : 'failed'}
          </Badge>
        </div>
      ))}
    </li>
  );
}
