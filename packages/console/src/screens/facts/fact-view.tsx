import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useGraph } from '../../app/queries.ts';
import type { OneFactQuery } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Details, Panel } from '../../ui/screen.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { TurnText, Words } from '../../ui/words.tsx';
import { FactActions } from './fact-actions.tsx';
import { History } from './history.tsx';
import { FACT, FACT_CHANGES } from './operations.ts';
import { TwoTimelines } from './two-timelines.tsx';

export type OpenFact = NonNullable<OneFactQuery['fact']>;

/** A fact: its two timelines, what stood before and after it, and the turns that state it. */
export function FactView({ id, onReplaced }: { id: string; onReplaced: (id: string) => void }) {
  const userId = useUserId();
  const query = useGraph(FACT, { userId, id }, { renewOn: FACT_CHANGES });
  return (
    <Loaded query={query}>
      {({ fact }) =>
        fact ? (
          <div className="flex min-w-0 flex-col gap-4">
            <Panel title="Fact" actions={<FactActions fact={fact} onReplaced={onReplaced} />}>
              <div className="flex flex-col gap-3">
                <div className="text-[15px] font-medium">
                  <Words>{fact.statement}</Words>
                </div>
                <Details of={detailsOf(fact)} />
              </div>
            </Panel>
            <Panel title="Two timelines">
              <TwoTimelines history={fact.history} chosen={fact.id} />
              <History history={fact.history} />
            </Panel>
            <Panel title="Who said so" isFlush>
              <Sources fact={fact} />
            </Panel>
          </div>
        ) : (
          <Panel>
            <Empty>There is no such fact in this memory. It may have been forgotten.</Empty>
          </Panel>
        )
      }
    </Loaded>
  );
}

const detailsOf = (fact: OpenFact) =>
  [
    [
      'key',
      <code key="key" className="words font-mono text-xs">
        {fact.key ?? 'none'}
      </code>,
    ],
    ['value', <Words key="value">{fact.value}</Words>],
    [
      'state',
      <span key="state" className="flex flex-wrap gap-1">
        <Badge tone={fact.active ? 'accent' : 'plain'}>{stateOf(fact)}</Badge>
        <Badge>{inWords(fact.category)}</Badge>
        {fact.polarity === 'NEGATIVE' && <Badge tone="warn">denied</Badge>}
      </span>,
    ],
    ['confidence', fact.confidence.toFixed(2)],
    ['importance', fact.importance.toFixed(2)],
    ['extracted by', fact.model ?? inWords(fact.origin)],
    ['recorded', <Time key="recorded" at={fact.recordedAt} />],
  ] as const;

function stateOf({ retractedAt, active, validFrom }: OpenFact): string {
  if (retractedAt) return 'retracted';
  if (active) return 'believed true';
  return new Date(validFrom) > new Date() ? 'to come' : 'past';
}

function Sources({ fact: { turns, origin } }: { fact: OpenFact }) {
  const [{ user }] = useAddress();
  if (turns.length === 0) {
    return (
      <Empty>
        {origin === 'HAND' ? 'It was recorded by hand.' : 'The turns that stated it are gone.'}
      </Empty>
    );
  }
  return turns.map((turn) => (
    <div key={turn.id} className="border-b border-line last:border-0">
      <TurnText turn={turn} />
      <Link
        to="/timeline"
        search={{ user, thread: turn.thread.id }}
        className="block px-4 pb-2 text-xs text-accent hover:underline"
      >
        Open its thread
      </Link>
    </div>
  ));
}
