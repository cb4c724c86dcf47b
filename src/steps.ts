import { CHANGES, type ChangeKind } from './domain/core/change.ts';
import { type Lane, PIPELINE, type Step } from './pipeline.ts';

const DECLARATIONS = Object.values(PIPELINE);
const byName = new Map(DECLARATIONS.map((own) => [own.name, own]));

/** In which lane a step runs. */
export const laneOf = (step: Step): Lane => byName.get(step)?.lane as Lane;

/** The steps of a lane. */
export const stepsIn = (lane: Lane): Step[] =>
  DECLARATIONS.filter((own) => own.lane === lane).map(({ name }) => name);

/** The steps whose number names a thread. */
export const THREAD_STEPS: readonly Step[] = DECLARATIONS.filter(
  ({ subject }) => subject === 'thread',
).map(({ name }) => name);

/** A wake-up to store: the step, what its number names (0 = the whole user), and when it looks. */
export type JobDraft = { step: Step; subject: number; runAt: Date };

/** How long each step waits for more of the same, in milliseconds; 0 where it is left out. */
export type Debounce = Partial<Record<Step, number>>;

export const DEBOUNCE: Debounce = Object.fromEntries(
  DECLARATIONS.map(({ name, debounce = 0 }) => [name, debounce]),
);

/** When a step looks that is woken now, after its debounce. */
export const debounced = (step: Step, debounce: Debounce, now: Date): Date =>
  new Date(now.getTime() + (debounce[step] ?? 0));

/** Something that changed: of what, and, where its work is planned for later, when. */
export type Change = { kind: ChangeKind; subject: number; at: Date | null };

/** @throws when a step says that something changed of which the pipeline does not know */
export function checkDeclared(step: Step, kind: ChangeKind): void {
  if (!byName.get(step)?.changes?.includes(kind))
    throw new Error(`${step} does not declare that it changes "${kind}".`);
}

/** The wake-ups that follow from a change; `waiting`: only those that are stored already look sooner. */
export function wakesOf(
  { kind, subject, at }: Change,
  { debounce, hasEmbedder, now }: { debounce: Debounce; hasEmbedder: boolean; now: Date },
): { jobs: JobDraft[]; waiting: JobDraft[] } {
  const jobs: JobDraft[] = [];
  const waiting: JobDraft[] = [];
  for (const step of DECLARATIONS) {
    const wake = step.wokenBy[kind];
    if (!wake || (step.needsEmbedder && !hasEmbedder)) continue;
    const soonest = wake === 'debounced' ? debounced(step.name, debounce, now) : now;
    const runAt = at && at > soonest ? at : soonest;
    // A step of the whole user, or one that a turn can name, has no number of a thread.
    const own = step.subject === CHANGES[kind] ? subject : 0;
    (wake === 'if waiting' ? waiting : jobs).push({ step: step.name, subject: own, runAt });
  }
  return { jobs, waiting };
}
