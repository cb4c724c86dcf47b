import { useUserId } from '../../app/memory.tsx';
import { useChange, usePages } from '../../app/queries.ts';
import type { JobListQuery } from '../../generated/graphql.ts';
import { Badge, inWords } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/plural.ts';
import { Panel } from '../../ui/screen.tsx';
import { Empty, Failed, Loaded, More } from '../../ui/states.tsx';
import { duration, Time } from '../../ui/time.tsx';
import { JOBS, RETRY } from './operations.ts';

type Job = NonNullable<JobListQuery['user']>['jobs']['edges'][number]['node'];

/** The background work that is left, the oldest by step, and what failed for good. */
export function JobsPanel() {
  const userId = useUserId();
  const query = usePages(JOBS, { userId }, ({ user }) => user?.jobs, { renewOn: 'any' });
  const retry = useChange(RETRY, (data) => data.retryJob);
  const jobs: Job[] = query.nodes;
  const inTrouble = jobs.filter(({ lastError, state }) => lastError || state === 'DEAD');
  return (
    <>
      <Panel title="Oldest job by step">
        <Loaded query={query}>{() => <Oldest jobs={jobs} />}</Loaded>
        {query.hasNextPage && (
          <p className="mt-2 text-xs text-muted">Of the {plural(jobs.length, 'oldest job')}.</p>
        )}
      </Panel>
      {retry.error && <Failed error={retry.error} />}
      {inTrouble.length > 0 && (
        <Panel title="In trouble" isFlush>
          <p className="border-b border-line px-4 py-2 text-xs text-muted">
            Only jobs of this memory. The figures of the deployment count those of all memories.
          </p>
          <ul>
            {inTrouble.map((job) => (
              <Troubled
                key={job.id}
                job={job}
                isBusy={retry.isPending}
                onRetry={() => retry.mutate({ userId, jobId: job.id })}
              />
            ))}
          </ul>
        </Panel>
      )}
      <More query={query} />
    </>
  );
}

function Troubled({ job, isBusy, onRetry }: { job: Job; isBusy: boolean; onRetry: () => void }) {
  const { step, state, attempts, lastError, runAt, deadAt } = job;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_max-content] gap-3 border-b border-line px-4 py-2 last:border-0">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{step}</span>
          <Badge tone={state === 'DEAD' ? 'danger' : 'warn'}>{inWords(state)}</Badge>
          <span className="text-xs text-muted">
            {plural(attempts, 'attempt')}, {deadAt ? 'given up' : 'due'}{' '}
            <Time at={deadAt ?? runAt} />
          </span>
        </span>
        {lastError && <span className="words text-xs text-muted">{lastError}</span>}
      </div>
      <span>
        <Button disabled={isBusy} onClick={onRetry}>
          Retry
        </Button>
      </span>
    </li>
  );
}

type Step = { step: string; count: number; waits: number; states: Set<Job['state']> };

function stepsOf(jobs: readonly Job[]): Step[] {
  const now = Date.now();
  const steps = new Map<string, Step>();
  for (const { step, runAt, state } of jobs) {
    const waits = Math.max(0, now - Date.parse(runAt));
    const known = steps.get(step) ?? { step, count: 0, waits: 0, states: new Set() };
    known.count += 1;
    known.waits = Math.max(known.waits, waits);
    known.states.add(state);
    steps.set(step, known);
  }
  return [...steps.values()].sort((a, b) => b.waits - a.waits);
}

function Oldest({ jobs }: { jobs: readonly Job[] }) {
  const steps = stepsOf(jobs);
  if (steps.length === 0) return <Empty>Nothing is queued. The memory is up to date.</Empty>;
  const most = Math.max(1, ...steps.map(({ waits }) => waits));
  return (
    <table className="w-full text-xs">
      <caption className="sr-only">Oldest job by step</caption>
      <thead>
        <tr className="text-left text-muted">
          <th scope="col" className="font-medium">
            step
          </th>
          <th scope="col" className="w-1/3">
            <span className="sr-only">compared</span>
          </th>
          <th scope="col" className="text-right font-medium">
            overdue
          </th>
          <th scope="col" className="pl-3 text-right font-medium">
            jobs
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ step, count, waits, states }) => (
          <tr key={step} className="border-t border-line">
            <th scope="row" className="py-1 pr-3 text-left font-normal">
              {step}{' '}
              {[...states].map((state) => (
                <Badge key={state} tone={state === 'DEAD' ? 'danger' : 'plain'}>
                  {inWords(state)}
                </Badge>
              ))}
            </th>
            <td>
              <svg
                viewBox="0 0 100 6"
                preserveAspectRatio="none"
                aria-hidden
                className="h-1.5 w-full rounded-sm bg-raised"
              >
                <rect width={(waits / most) * 100} height={6} className="fill-accent" />
              </svg>
            </td>
            <td className="text-right tabular-nums">
              {waits > 0 ? duration(waits) : 'not yet due'}
            </td>
            <td className="text-right tabular-nums">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
