import { loadAverage } from '../../support/measure.ts';
import { type Bounds, timesOf } from './judge.ts';
import type { Phase } from './phase.ts';
import type { HostileRestart } from './restart.ts';

const WIDTHS = [28, 6, 7, 7, 7, 7, 7, 7, 6, 7, 7, 6, 6, 7, 5];
const SHOWN_PROBLEMS = 5;

const line = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, column) => {
      const width = WIDTHS[column] ?? 8;
      const text = typeof cell === 'number' ? String(Math.round(cell)) : cell;
      return column === 0 ? text.padEnd(width) : text.padStart(width);
    })
    .join(' ');

/** Prints the limits and the heads of the columns. */
export function showHead(bounds: Bounds): void {
  const { p99Ms, kindP99Ms, delayMs, megabytes, firstFactMs } = bounds;
  console.log(
    `Limits: p99 ${p99Ms} ms over all kinds and ${kindP99Ms} ms during one, event loop ${delayMs} ms, ${megabytes} MB, first fact ${firstFactMs} ms. ` +
      'Times in milliseconds; "own" is how late the second user itself was, "loop" the delay of the ' +
      "server's event loop.\n",
  );
  console.log(
    line([
      ...['kind', 'calls', 'rem50', 'rem99', 'remmax', 'rec50', 'rec99', 'recmax', 'own'],
      ...['loopmax', 'loop99', 'MB', 'cores', 'fact', 'load'],
    ]),
  );
}

/** Prints a phase as a row, with its problems. */
export function showPhase(phase: Phase, broken: readonly string[]): void {
  const remember = timesOf(phase.samples, 'remember');
  const recall = timesOf(phase.samples, 'recall');
  const own = Math.max(0, ...phase.samples.map(({ late }) => late));
  console.log(
    line([
      ...[phase.kind, phase.samples.length, remember.p50, remember.p99, remember.max],
      ...[recall.p50, recall.p99, recall.max, own, phase.delayMax ?? '-', phase.delayP99 ?? '-'],
      ...[phase.peakMegabytes, phase.cores.toFixed(1)],
      ...[phase.firstFact ? (phase.firstFact.ms ?? 'never') : '', loadAverage().toFixed(1)],
    ]),
  );
  showProblems(broken);
}

export function showRestart({ kind, signal, restart, problems, slow }: HostileRestart): void {
  const when = restart
    ? `stopped in ${restart.stop.toFixed(1)} s, ready after ${restart.ready.toFixed(1)} s`
    : 'down before it was ended';
  console.log(`  ${signal} (${kind}): ${when}`);
  showProblems([...problems, ...slow]);
}

function showProblems(problems: readonly string[]): void {
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(`     ${problem}`);
  const more = problems.length - SHOWN_PROBLEMS;
  if (more > 0) console.log(`     and ${more} more`);
}
