import { quantile } from '../../support/measure.ts';
import type { Phase } from './phase.ts';
import type { Sample } from './second-user.ts';

/** What others may notice at most. */
export type Bounds = { p99Ms: number; delayMs: number; megabytes: number; firstFactMs: number };

const BOUNDS: Bounds = { p99Ms: 150, delayMs: 100, megabytes: 1024, firstFactMs: 2_000 };
/** Of fewer calls the 99th percentile is the slowest. */
const ENOUGH = 100;

/** Times are multiplied on a machine that is busy with other things; memory is what it is. */
export const boundsOf = (factor: number): Bounds => ({
  ...BOUNDS,
  p99Ms: BOUNDS.p99Ms * factor,
  delayMs: BOUNDS.delayMs * factor,
  firstFactMs: BOUNDS.firstFactMs * factor,
});

/** How long calls took, in milliseconds. */
export function timesOf(samples: readonly Sample[], what: Sample['what']) {
  const own = samples.filter((sample) => sample.what === what).map(({ ms }) => ms);
  return {
    count: own.length,
    p50: quantile(own, 0.5),
    p99: quantile(own, 0.99),
    max: Math.max(0, ...own),
  };
}

/** What of a phase breaks a bound, or went wrong in itself. */
export function brokenBy(phase: Phase, bounds: Bounds): string[] {
  const { samples, delayMax, peakMegabytes, firstFact } = phase;
  const broken = [...phase.problems];
  const p99 = quantile(
    samples.map(({ ms }) => ms),
    0.99,
  );
  if (samples.length >= ENOUGH && p99 > bounds.p99Ms) {
    broken.push(`the second user waited ${Math.round(p99)} ms (p99)`);
  }
  const failed = samples.filter((sample) => sample.failed !== null);
  if (failed.length > 0) {
    broken.push(`${failed.length} calls of the second user failed: ${failed[0]?.failed}`);
  }
  if (delayMax === null) broken.push('the server does not tell of its event loop');
  else if (delayMax > bounds.delayMs) {
    broken.push(`the event loop was late by ${Math.round(delayMax)} ms`);
  }
  if (peakMegabytes > bounds.megabytes) {
    broken.push(`${Math.round(peakMegabytes)} MB were resident`);
  }
  if (firstFact && (firstFact.ms === null || firstFact.ms > bounds.firstFactMs)) {
    const when = firstFact.ms === null ? 'not' : `after ${Math.round(firstFact.ms)} ms`;
    broken.push(
      `a silent user's first fact stood ${when}${firstFact.failed ? `: ${firstFact.failed}` : ''}`,
    );
  }
  return broken;
}
