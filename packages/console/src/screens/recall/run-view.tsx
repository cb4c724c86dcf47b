import type { ReactNode } from 'react';
import { useAddress } from '../../app/address.ts';
import { useUserId } from '../../app/memory.tsx';
import { useAnswer } from '../../app/queries.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { plural } from '../../ui/plural.ts';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { keyOf, type Recalled } from './hit.ts';
import { HitRow } from './hit-row.tsx';
import { RECALL } from './operations.ts';
import { Ranks } from './ranks.tsx';
import { inputOf, type Run } from './run.ts';
import { Legend, sumOf } from './score-bar.tsx';
import { Stages } from './stages.tsx';

/** The events after which a recall may find something else. */
const CHANGES = [
  'TURNS_REMEMBERED',
  'TURNS_EMBEDDED',
  'EPISODE_CREATED',
  'FACT_RECORDED',
  'FACT_RETRACTED',
  'FACT_RESTORED',
  'MEMORY_IMPORTED',
] as const;

/** Runs a recall as a trial. */
export function useRun(run: Run, enabled = true) {
  const input = inputOf(run, useUserId());
  return useAnswer(RECALL, { input }, (data) => data.recall, { renewOn: CHANGES, enabled });
}

/** What a run found, with its stages, and the ranks that led there. */
export function RunView({
  run,
  title,
  actions,
  before = null,
  isWide = false,
}: {
  run: Run;
  title: string;
  actions: ReactNode;
  /** The ranks in the run to compare with. */
  before?: ReadonlyMap<string, number> | null;
  /** Whether the pictures stand beside the hits. */
  isWide?: boolean;
}) {
  const query = useRun(run);
  return (
    <Loaded query={query}>
      {(found) => (
        <div
          className={`grid min-w-0 items-start gap-4 ${isWide ? 'lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]' : ''}`}
        >
          <Panel title={title} actions={actions} isFlush>
            <Outcome run={run} found={found} />
            <Hits found={found} before={before} />
          </Panel>
          <div className="flex min-w-0 flex-col gap-4">
            <Panel title="Stages">
              <Stages stages={found.stages} />
            </Panel>
            {found.hits.length > 0 && (
              <Panel title="Ranks: words → meaning → final">
                <Ranks hits={found.hits} />
              </Panel>
            )}
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Outcome({ run, found }: { run: Run; found: Recalled }) {
  const { intent, vectors, range, tokens, asOf, leftOut, facts, stages } = found;
  const took = stages.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-xs text-muted">
      <span dir="auto" className="words basis-full text-[13.5px] font-medium text-ink">
        {run.q}
      </span>
      <Badge tone="accent">{took.toFixed(1)} ms</Badge>
      <Badge>{intent === 'RECALL' ? 'asks for earlier conversation' : 'asks for an answer'}</Badge>
      <Badge tone={vectors === 'USED' || vectors === 'NOT_NEEDED' ? 'plain' : 'warn'}>
        vectors {inWords(vectors)}
      </Badge>
      <span className="tabular-nums">{tokens} tokens</span>
      {facts.length > 0 && <span>{plural(facts.length, 'known fact')}</span>}
      {leftOut.hits + leftOut.facts > 0 && (
        <span>
          left out: {plural(leftOut.hits, 'hit')}, {plural(leftOut.facts, 'fact')}
        </span>
      )}
      {run.at && (
        <span>
          as of <Time at={asOf} />
        </span>
      )}
      {range && (
        <span>
          {range.text && <q dir="auto">{range.text}</q>} {range.from && <Time at={range.from} />} –{' '}
          {range.to && <Time at={range.to} />} {range.filters ? 'only' : 'preferred'}
        </span>
      )}
    </div>
  );
}

function Hits({
  found: { hits, facts },
  before,
}: {
  found: Recalled;
  before: ReadonlyMap<string, number> | null;
}) {
  const [{ hit: chosen }, change] = useAddress();
  const most = Math.max(0.01, ...hits.map(({ explain }) => sumOf(explain)));
  return (
    <>
      {facts.length > 0 && (
        <ul aria-label="Known facts" className="border-b border-line px-4 py-2">
          {facts.map(({ id, statement }) => (
            <li key={id} className="flex gap-2">
              <Badge>known</Badge>
              <span dir="auto" className="words">
                {statement}
              </span>
            </li>
          ))}
        </ul>
      )}
      {hits.length === 0 ? (
        <Empty>Nothing was found within these filters.</Empty>
      ) : (
        <>
          <Legend />
          <ol aria-label="Hits">
            {hits.map((hit) => {
              const key = keyOf(hit);
              return (
                <HitRow
                  key={key}
                  hit={hit}
                  most={most}
                  isChosen={chosen === key}
                  before={before && (before.get(key) ?? 'new')}
                  onChoose={() => change({ hit: chosen === key ? undefined : key }, true)}
                />
              );
            })}
          </ol>
        </>
      )}
    </>
  );
}
