import { CHANGES, type ChangeKind } from './domain/core/change.ts';
import { type Lane, PIPELINE, type Step } from './pipeline.ts';

const DECLARATIONS = Object.values(PIPELINE);
const byName = new Map(DECLARATIONS.map((own) => [own.name, own]));

/** The lane in which a step runs. */
export const laneOf = (step: Step): Lane => byName.get(step)?.lane as Lane;

/** The steps of a lane. */
export const stepsIn = (lane: Lane): Step[] =>
  DECLARATIONS.filter((own) => own.lane === lane).map(({ name }) => name);

/** The steps whose subject is a thread. */
export const THREAD_STEPS: readonly Step[] = DECLARATIONS.filter(
  ({ subject }) => subject === 'thread',
).map(({ name }) => name);

/** A job to store: the step, the number of its subject (0 = the whole user), and when it runs. */
export type JobDraft = { step: Step; subject: number; runAt: Date };

/** The debounce of each step, in milliseconds; 0 if it is left out. */
export type Debounce = Partial<Record<Step, number>>;

export const DEBOUNCE: Debounce = Object.fromEntries(
  DECLARATIONS.map(({ name, debounce = 0 }) => [name, debounce]),
);

/** When a step runs that is triggered now, after its debounce. */
export const debounced = (step: Step, debounce: Debounce, now: Date): Date =>
  new Date(now.getTime() + (debounce[step] ?? 0));

/** Something that changed: its kind and subject, and when the work is planned if that is later than now. */
export type Change = { kind: ChangeKind; subject: number; at: Date | null };

/** @throws if the pipeline does not declare that the step makes changes of this kind */
export function checkDeclared(step: Step, kind: ChangeKind): void {
  if (!byName.get(step)?.changes?.includes(kind))
    throw new Error(`${step} does not declare that it changes "${kind}".`);
}

/** The jobs that follow from a change. `waiting`: these are not stored, but run sooner if they are stored already. */
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
    // The subject of the change is of no use to a step that has subjects of another kind.
    const own = step.subject === CHANGES[kind] ? subject : 0;
    (timing === 'if waiting' ? waiting : jobs).push({ step: step.name, subject: own, runAt });
  }
  return { jobs, waiting };
}
