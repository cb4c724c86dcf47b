import { quantile } from '../../support/measure.ts';
import type { Phase } from './phase.ts';
import type { Sample } from './second-user.ts';

/** The limits of what other users may notice. */
export type Bounds = {
  /** The second user's 99th percentile, over all kinds together. */
  p99Ms: number;
  /** The same during one kind. A call of 4 MB keeps an embedded database busy for a third of a second. */
  kindP99Ms: number;
  delayMs: number;
  megabytes: number;
  firstFactMs: number;
};

const BOUNDS: Bounds = {
  p99Ms: 150,
  kindP99Ms: 1_000,
  delayMs: 100,
  megabytes: 1024,
  firstFactMs: 2_000,
};
/** With fewer calls the 99th percentile would be the slowest call. */
const ENOUGH = 100;

/** The limits on this machine: `factor` multiplies times, but not memory. */
export const boundsOf = (factor: number): Bounds => ({
  ...BOUNDS,
  p99Ms: BOUNDS.p99Ms * factor,
  kindP99Ms: BOUNDS.kindP99Ms * factor,
  delayMs: BOUNDS.delayMs * factor,
  firstFactMs: BOUNDS.firstFactMs * factor,
});

/** The times of calls, in milliseconds. */
export function timesOf(samples: readonly Sample[], what: Sample['what']) {
  const own = samples.filter((sample) => sample.what === what).map(({ ms }) => ms);
  return {
    count: own.length,
    p50: quantile(own, 0.5),
    p99: quantile(own, 0.99),
    max: Math.max(0, ...own),
  };
}

/** The exceeded limits of a phase: those of time, which a busy machine may exceed, too, and the others. */
export type Broken = { times: string[]; others: string[] };

export function brokenBy(phase: Phase, bounds: Bounds): Broken {
  const failed = phase.samples.filter((each) => each.failed !== null && !isLate(each));
  const others = [...phase.problems];
  if (failed.length > 0) {
    others.push(`${failed.length} calls of the second user failed: ${failed[0]?.failed}`);
  }
  if (phase.delayMax === null) others.push('the server does not report its event loop delay');
  if (phase.peakMegabytes > bounds.megabytes) {
    others.push(`${Math.round(phase.peakMegabytes)} MB were resident`);
  }
  const { firstFact } = phase;
  if (firstFact?.failed) others.push(`a silent user could not be answered: ${firstFact.failed}`);
  else if (firstFact?.ms === null) others.push("a silent user's first fact was not learned");
  return { times: slowIn(phase, bounds), others };
}

/** Whether the server said that it is busy. */
const isLate = ({ failed }: Sample): boolean => /"retryable": ?true/.test(failed ?? '');

/** The 99th percentile of all calls of a phase, in milliseconds. */
export const p99Of = ({ samples }: Phase): number =>
  quantile(
    samples.map(({ ms }) => ms),
    0.99,
  );

function slowIn(phase: Phase, bounds: Bounds): string[] {
  const { samples, delayMax, firstFact } = phase;
  const slow: string[] = [];
  const p99 = p99Of(phase);
  const late = samples.filter(isLate);
  if (late.length > 0) {
    slow.push(
      `${late.length} calls of the second user were told that the server is busy: ${late[0]?.failed}`,
    );
  }
  if (samples.length >= ENOUGH && p99 > bounds.kindP99Ms) {
    slow.push(`the second user waited ${Math.round(p99)} ms (p99)`);
  }
  if (delayMax !== null && delayMax > bounds.delayMs) {
    slow.push(`the event loop was late by ${Math.round(delayMax)} ms`);
  }
  if (firstFact && (firstFact.ms ?? 0) > bounds.firstFactMs) {
    slow.push(`a silent user's first fact was learned after ${Math.round(firstFact.ms ?? 0)} ms`);
  }
  return slow;
}
