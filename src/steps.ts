import { CHANGES, type ChangeKind } from './domain/core/change.ts';
import { type Lane, PIPELINE, type Step } from './pipeline.ts';
import { REQUESTS, type RequestKey } from './requests.ts';

const DECLARATIONS = Object.values(PIPELINE);
const byName = new Map(DECLARATIONS.map((one) => [one.name, one]));

/** The lane in which a step runs. */
export const laneOf = (step: Step): Lane => byName.get(step)?.lane as Lane;

/** The steps of a lane. */
export const stepsIn = (lane: Lane): Step[] =>
  DECLARATIONS.filter((one) => one.lane === lane).map(({ name }) => name);

/** The steps whose subject is a thread. */
export const THREAD_STEPS: readonly Step[] = DECLARATIONS.filter(
  ({ subject }) => subject === 'thread',
).map(({ name }) => name);

/** A job to store: the step, the number of its subject (0 = the whole user), and when it runs. */
export type JobDraft = { step: Step; subject: number; runAt: Date };

/** The debounce of each step, in milliseconds; 0 if omitted. */
export type Debounce = Partial<Record<Step, number>>;

export const DEBOUNCE: Debounce = Object.fromEntries(
  DECLARATIONS.map(({ name, debounce = 0 }) => [name, debounce]),
);

/** When a step that is triggered now is due, after its debounce. */
export const debounced = (step: Step, debounce: Debounce, now: Date): Date =>
  new Date(now.getTime() + (debounce[step] ?? 0));

/** A reported change: its kind and subject, and when the triggered jobs are due if later than now. */
export type Change = { kind: ChangeKind; subject: number; at: Date | null };

/** What reports changes: a step, or else a request. */
export type Reporter = { step: Step } | { request: RequestKey };

/** @throws if the pipeline does not declare that the step or the request reports changes of this kind */
export function checkDeclared(reporter: Reporter, kind: ChangeKind): void {
  const [name, changes = []]: [string, readonly ChangeKind[] | undefined] =
    'step' in reporter
      ? [reporter.step, byName.get(reporter.step)?.changes]
      : [reporter.request, REQUESTS[reporter.request]];
  if (!changes.includes(kind))
    throw new Error(`${name} does not declare that it changes "${kind}".`);
}

/** The jobs that a change triggers. Those in `waiting` are not stored; if they are stored already, they become due sooner. */
export function jobsFor(
  { kind, subject, at }: Change,
  { debounce, hasEmbedder, now }: { debounce: Debounce; hasEmbedder: boolean; now: Date },
): { jobs: JobDraft[]; waiting: JobDraft[] } {
  const jobs: JobDraft[] = [];
  const waiting: JobDraft[] = [];
  for (const step of DECLARATIONS) {
    const timing = step.triggeredBy[kind];
    if (!timing || (step.needsEmbedder && !hasEmbedder)) continue;
    const soonest = timing === 'debounced' ? debounced(step.name, debounce, now) : now;
    const runAt = at && at > soonest ? at : soonest;
    // A step whose subjects are of another kind cannot use the subject of the change.
    const jobSubject = step.subject === CHANGES[kind] ? subject : 0;
    (timing === 'if waiting' ? waiting : jobs).push({
      step: step.name,
      subject: jobSubject,
      runAt,
    });
  }
  return { jobs, waiting };
}
