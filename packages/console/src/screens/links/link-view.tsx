import { useState } from 'react';
import { useUserId } from '../../app/memory.tsx';
import { useChange, useGraph } from '../../app/queries.ts';
import type { LinkOutcome, OneLinkQuery } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Details, Panel } from '../../ui/screen.tsx';
import { Empty, Failed, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import { ThreadView } from '../timeline/thread-view.tsx';
import { LINK, LINK_CHANGES, RATE } from './operations.ts';
import { ScoreParts } from './score-parts.tsx';

type Found = OneLinkQuery['node'];
export type OpenLink = Exclude<NonNullable<Found>, Record<PropertyKey, never>>;

const isLink = (node: Found): node is OpenLink => node != null && 'verdict' in node;

/** A decision about two threads: what decided it, how it is rated, and both threads side by side. */
export function LinkView({ id }: { id: string }) {
  const query = useGraph(LINK, { id }, { renewOn: LINK_CHANGES });
  const [isReading, setReading] = useState(false);
  return (
    <Panel title="What decided it">
      <Loaded query={query}>
        {({ node }) =>
          isLink(node) ? (
            <div className="flex flex-col gap-4">
              <Details of={detailsOf(node)} />
              <ScoreParts link={node} />
              {node.reasoning && <Words>{node.reasoning}</Words>}
              <Rating link={node} />
              <Button onClick={() => setReading(true)}>Read both threads side by side</Button>
              {isReading && (
                <Dialog title="Both threads" isWide onClose={() => setReading(false)}>
                  <div className="grid gap-4 md:grid-cols-2">
                    {[node.earlierThread, node.thread].map((end) => (
                      <ThreadView key={end.id} id={end.id} />
                    ))}
                  </div>
                </Dialog>
              )}
            </div>
          ) : (
            <Empty>There is no such link. One of its threads may have been forgotten.</Empty>
          )
        }
      </Loaded>
    </Panel>
  );
}

const detailsOf = (link: OpenLink) =>
  [
    [
      'verdict',
      <span key="verdict" className="flex flex-wrap gap-1">
        <Badge tone={link.verdict === 'LINK' ? 'accent' : 'plain'}>
          {link.verdict === 'LINK' ? 'linked' : 'not linked'}
        </Badge>
        <Badge tone={link.certainty === 'HIGH' ? 'plain' : 'warn'}>{inWords(link.certainty)}</Badge>
        {link.joins !== (link.verdict === 'LINK') && <Badge tone="warn">overruled</Badge>}
      </span>,
    ],
    [
      'algorithm',
      `${link.algorithmicRelated ? 'related' : 'not related'}, score ${link.algorithmicScore.toFixed(2)}`,
    ],
    [
      'reasoner',
      `${link.reasonerRelated ? 'related' : 'not related'}, confidence ${link.reasonerConfidence.toFixed(2)}, by ${link.model}`,
    ],
    ['both together', link.fusedScore.toFixed(2)],
    ['signals', link.keySignals.join(', ') || 'none'],
    ['decided', <Time key="decided" at={link.decidedAt} />],
    [
      'outcome',
      link.sign ? `${inWords(link.outcome)}: ${inWords(link.sign)}` : inWords(link.outcome),
    ],
  ] as const;

const RATINGS: readonly (readonly [LinkOutcome, string])[] = [
  ['CORRECT', 'Right'],
  ['INCORRECT', 'Wrong'],
  ['UNKNOWN', 'Withdraw the rating'],
];

function Rating({ link: { id, outcome } }: { link: OpenLink }) {
  const userId = useUserId();
  const rate = useChange(RATE, (data) => data.rateLink);
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="mb-1 text-xs font-medium text-muted">Was this right?</legend>
      {RATINGS.map(([rating, text]) => (
        <Button
          key={rating}
          aria-pressed={outcome === rating}
          look={outcome === rating && rating !== 'UNKNOWN' ? 'primary' : 'plain'}
          disabled={rate.isPending || (rating === 'UNKNOWN' && outcome === 'UNKNOWN')}
          onClick={() => rate.mutate({ userId, linkId: id, outcome: rating })}
        >
          {text}
        </Button>
      ))}
      {rate.error && <Failed error={rate.error} />}
    </fieldset>
  );
}
