import { quantile } from '../../support/measure.ts';
import { type Bounds, type Broken, p99Of, timesOf } from './judge.ts';
import type { Phase } from './phase.ts';
import type { HostileRestart } from './restart.ts';

export type JudgedPhase = { phase: Phase; broken: Broken };

type Run = {
  phases: readonly JudgedPhase[];
  restarts: readonly HostileRestart[];
  bounds: Bounds;
  /** Whether time limits count. */
  isTimed: boolean;
};

/** Summarises the effect of all kinds on others, with every exceeded limit. */
export function summaryOf({ phases, restarts, bounds, isTimed }: Run) {
  const samples = phases.flatMap(({ phase }) => phase.samples);
  const most = (of: (phase: Phase) => number | null) =>
    Math.max(...phases.map(({ phase }) => of(phase) ?? 0));
  const calls = { remember: timesOf(samples, 'remember'), recall: timesOf(samples, 'recall') };
  const facts = phases.flatMap(({ phase }) => (phase.firstFact ? [phase.firstFact.ms] : []));
  const slow = Object.entries(calls).flatMap(([what, { p99 }]) =>
    p99 > bounds.p99Ms ? [`all: ${what} took ${Math.round(p99)} ms (p99)`] : [],
  );
  const judged = (others: string[], times: string[]) => (isTimed ? [...others, ...times] : others);
  const problemsOf = ({ times, others }: Broken) => judged(others, times);
  return {
    kinds: phases.length,
    failedKinds: phases.filter(({ broken }) => problemsOf(broken).length > 0).length,
    ...calls,
    slowKinds: phases.flatMap(({ phase }) => (p99Of(phase) > bounds.p99Ms ? phase.kind : [])),
    eventLoopMaxMs: most(({ delayMax }) => delayMax),
    eventLoopP99Ms: quantile(
      phases.map(({ phase }) => phase.delayP99 ?? 0),
      0.5,
    ),
    peakMegabytes: most(({ peakMegabytes }) => peakMegabytes),
    firstFactMaxMs: facts.includes(null) ? null : Math.max(...facts.map(Number)),
    slowestStart: Math.max(0, ...restarts.map(({ restart }) => restart?.ready ?? 0)),
    restarts: restarts.length,
    broken: [
      ...phases.flatMap(({ phase, broken }) =>
        problemsOf(broken).map((what) => `${phase.kind}: ${what}`),
      ),
      ...restarts.flatMap((each) =>
        judged(each.problems, each.slow).map((what) => `${each.kind}, restarted: ${what}`),
      ),
      ...(isTimed ? slow : []),
    ],
  };
}
