import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LANES } from '../pipeline.ts';
import { stepsIn } from '../steps.ts';

/** The number of a step's jobs in each state. */
export type StepDepth = {
  step: string;
  due: number;
  later: number;
  running: number;
  parked: number;
  dead: number;
  /** How long the oldest due job has been due, in seconds. */
  age: number;
};

/** How a run of a step ended. */
export type RunOutcome = 'done' | 'again' | 'parked' | 'failed' | 'dead';

const STATES = ['due', 'later', 'running', 'parked', 'dead'] as const;

/** A zero for every step, so that a step without jobs is reported too. */
const ZEROS: StepDepth[] = LANES.flatMap(stepsIn).map((step) => ({
  step,
  due: 0,
  later: 0,
  running: 0,
  parked: 0,
  dead: 0,
  age: 0,
}));

/** Creates the metrics of background jobs. */
export function jobMetrics(registers: Registry[]) {
  const runs = new Histogram({
    name: 'mnemograph_job_seconds',
    help: 'Runs of background steps, by step and outcome.',
    labelNames: ['step', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const parks = new Counter({
    name: 'mnemograph_jobs_parked_total',
    help: "Jobs that were parked because a model's server was not available.",
    labelNames: ['step'],
    registers,
  });
  const depth = new Gauge({
    name: 'mnemograph_jobs',
    help: 'Jobs of all users by step and state: "due" waits for a worker, "later" for its time, "parked" for a model\'s server, "dead" for an operator.',
    labelNames: ['step', 'state'],
    registers,
  });
  const age = new Gauge({
    name: 'mnemograph_job_age_seconds',
    help: 'How long the oldest due job of a step has waited for a worker.',
    labelNames: ['step'],
    registers,
  });
  const up = new Gauge({
    name: 'mnemograph_database_up',
    help: '1 if the database answered when the metrics were read, otherwise 0; then mnemograph_jobs and mnemograph_job_age_seconds are missing.',
    registers,
  });
  return {
    parked: (step: string) => parks.inc({ step }),
    jobRun: (step: string, outcome: RunOutcome, seconds: number) =>
      runs.observe({ step, outcome }, seconds),
    /** Sets the gauges from the stored jobs. @param steps null when the database cannot be read */
    backlog(steps: readonly StepDepth[] | null) {
      up.set(steps ? 1 : 0);
      depth.reset();
      age.reset();
      if (!steps) return;
      for (const counts of [...ZEROS, ...steps]) {
        for (const state of STATES) depth.set({ step: counts.step, state }, counts[state]);
        age.set({ step: counts.step }, counts.age);
      }
    },
  };
}
