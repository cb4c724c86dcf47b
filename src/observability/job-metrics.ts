import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LANES } from '../pipeline.ts';
import { stepsIn } from '../steps.ts';

/** How many jobs of a step are in each state. */
export type StepDepth = {
  step: string;
  due: number;
  later: number;
  running: number;
  parked: number;
  dead: number;
  /** Seconds for which the oldest has been due. */
  age: number;
};

/** How a run of a step ended. */
export type RunOutcome = 'done' | 'again' | 'parked' | 'failed' | 'dead';

const STATES = ['due', 'later', 'running', 'parked', 'dead'] as const;

/** Steps without jobs are reported too. */
const NONE: StepDepth[] = LANES.flatMap(stepsIn).map((step) => ({
  step,
  due: 0,
  later: 0,
  running: 0,
  parked: 0,
  dead: 0,
  age: 0,
}));

/** The background work. */
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
    help: "Steps put off because a model's server could not be asked.",
    labelNames: ['step'],
    registers,
  });
  const depth = new Gauge({
    name: 'mnemograph_jobs',
    help: 'Jobs of all users by step and state: "due" waits for a worker, "later" for its time, "parked" for a model\'s server, "dead" for a person.',
    labelNames: ['step', 'state'],
    registers,
  });
  const age = new Gauge({
    name: 'mnemograph_job_age_seconds',
    help: 'For how long the oldest due job of a step has waited for a worker.',
    labelNames: ['step'],
    registers,
  });
  const up = new Gauge({
    name: 'mnemograph_database_up',
    help: 'Whether the database answered when the metrics were read; without it mnemograph_jobs and mnemograph_job_age_seconds are missing.',
    registers,
  });
  return {
    parked: (step: string) => parks.inc({ step }),
    jobRun: (step: string, outcome: RunOutcome, seconds: number) =>
      runs.observe({ step, outcome }, seconds),
    /** What the rows say; null: they cannot be read. */
    backlog(steps: readonly StepDepth[] | null) {
      up.set(steps ? 1 : 0);
      depth.reset();
      age.reset();
      if (!steps) return;
      for (const own of [...NONE, ...steps]) {
        for (const state of STATES) depth.set({ step: own.step, state }, own[state]);
        age.set({ step: own.step }, own.age);
      }
    },
  };
}
