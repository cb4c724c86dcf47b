import { useUserId } from '../../app/memory.tsx';
import { fromTheEnd, useAllPages, usePages } from '../../app/queries.ts';
import type { TimelineTurnsQuery } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { CUTS } from './operations.ts';

export type ReadSegment = NonNullable<
  TimelineTurnsQuery['thread']
>['segments']['edges'][number]['node'];
type Signals = NonNullable<ReadSegment['captureSignals']>;

/** The signals of capture in words, in the order of their weight. */
const SIGNALS: readonly (readonly [keyof Signals, string])[] = [
  ['notability', 'notability'],
  ['novelty', 'novelty'],
  ['outcome', 'outcome'],
  ['telling', 'narrative content'],
  ['similarity', 'same theme as a recent episode'],
  ['recallIntent', 'asks for earlier conversation'],
  ['factShare', 'only states facts'],
  ['routineShare', 'routine'],
  ['decisions', 'decisions'],
  ['nextSteps', 'next steps'],
  ['milestones', 'milestones'],
  ['toolChanges', 'changes by tools'],
  ['turnsSince', 'turns since the last episode'],
  ['minutesSince', 'minutes since the last episode'],
  ['createdToday', 'episodes created that day'],
];

const rounded = (value: number) => String(Math.round(value * 100) / 100);

/** Where a thread was cut: why there, and what became of the segment that begins here. */
export function SegmentNote({ segment, threadId }: { segment: ReadSegment; threadId: string }) {
  const { firstTurn, lastTurn, title, surprise, keyMoment, flashbulb, capture, captureReason } =
    segment;
  const signals = segment.captureSignals;
  const isKept = capture === 'CREATED' || capture === 'MERGED';
  return (
    <div className="flex flex-col gap-1 border-y border-line bg-raised px-4 py-1.5 text-xs">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted">
          Segment, turns {firstTurn}–{lastTurn}
        </span>
        <Cause of={segment.id} threadId={threadId} />
        {surprise != null && <span className="text-muted">surprise {rounded(surprise)}</span>}
        {keyMoment && <Badge tone="warn">{flashbulb ? 'flashbulb' : 'key moment'}</Badge>}
        {capture && (
          <Badge tone={isKept ? 'accent' : 'plain'}>
            {inWords(capture)}
            {captureReason && `: ${captureReason}`}
          </Badge>
        )}
        {title && (
          <span dir="auto" className="words font-medium">
            {title}
          </span>
        )}
      </div>
      {signals && (
        <details>
          <summary className="text-muted">Signals</summary>
          <dl className="mt-1 grid grid-cols-[max-content_1fr] gap-x-3">
            {SIGNALS.map(([name, text]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{text}</dt>
                <dd className="tabular-nums">{rounded(signals[name] ?? 0)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}

/** The causes of a cut, as events name them. */
const CAUSES: Record<string, string> = {
  gap: 'a long silence',
  topic: 'another topic',
  surprise: 'a surprising turn',
  forced: 'its length',
  idle: 'the end of the talk',
};

/** Why a segment ends where it does. The event that says so is kept for some time only. */
function Cause({ of, threadId }: { of: string; threadId: string }) {
  const userId = useUserId();
  const query = usePages(CUTS, { userId, threadId }, ({ user }) => fromTheEnd(user?.events), {
    renewOn: ['SEGMENT_CLOSED'],
  });
  const closed = query.nodes.find(({ episode }) => episode?.id === of);
  useAllPages(query, !closed);
  if (query.error) return <span className="text-danger">why it ended cannot be read</span>;
  if (!closed && (query.hasNextPage || query.isPending)) return null;
  const [, cause] = /^segment\.close (\S+)/.exec(closed?.decision ?? '') ?? [];
  return (
    <span className="text-muted">
      {cause ? `ended by ${CAUSES[cause] ?? cause}` : 'why it ended is no longer on record'}
    </span>
  );
}
