import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { CommandFailed, runCommand } from '../../src/cli/support/run-command.ts';
import { loadAverage, quantile } from '../support/measure.ts';
import { describeSetting, printResult, printSetting } from '../support/report.ts';
import { type Arena, openArena } from './hostile/arena.ts';
import { endCalls } from './hostile/call.ts';
import { DELIVERY_KINDS } from './hostile/deliveries.ts';
import { boundsOf, brokenBy, timesOf } from './hostile/judge.ts';
import { attackWithOperation, fillMemory, OPERATIONS } from './hostile/operation-phases.ts';
import { type Phase, runPhase } from './hostile/phase.ts';
import type { HostileRestart } from './hostile/restart.ts';
import { showHead, showPhase, showRestart } from './hostile/show.ts';
import { attackWithTexts, restartDuring } from './hostile/text-phases.ts';

// One user sends what is made to stall or swell a server, while a second one talks all the time, calls being due at even
// moments whether the former are answered or not. Nobody else may notice, and nothing may be lost.

const KINDS = [...DELIVERY_KINDS, ...Object.keys(OPERATIONS)];

const options = new Command('npm run test:hostile --')
  .description('Attacks a server by texts and operations while another user talks to it.')
  .option('--short', 'fewer texts and operations, and wider bounds of time, in two minutes', false)
  .option('--texts <count>', 'requests with hostile texts; 200, or 40 with --short', countOption)
  .option('--only <kinds...>', 'some kinds of texts or operations')
  .option('--seed <number>', 'repeats the texts of an earlier run', countOption)
  .option('--factor <number>', 'multiplies the bounds of time; 1, or 3 with --short', countOption)
  .option('--rate <count>', 'calls of the second user in a second; 10', countOption)
  .option('--database-url <url>', 'PostgreSQL server to make a database on; else embedded')
  .parse()
  .opts<{
    short: boolean;
    texts?: number;
    only?: string[];
    seed?: number;
    factor?: number;
    rate?: number;
    databaseUrl?: string;
  }>();

/** What a full run does, and a short one. */
const SIZES = {
  full: { texts: 200, factor: 1, starts: 3, kindsAtOnce: 1, every: 1, text: 6_000, op: 5_000 },
  short: { texts: 40, factor: 3, starts: 2, kindsAtOnce: 5, every: 4, text: 3_000, op: 1_500 },
};
const size = options.short ? SIZES.short : SIZES.full;
const texts = options.texts ?? size.texts;
const factor = options.factor ?? size.factor;
const seed = options.seed ?? randomInt(1, 2 ** 31);
const bounds = boundsOf(factor);
const rate = options.rate ?? 10;
const SETTLE_WITHIN = options.short ? 10_000 : 20_000;

const phases: { phase: Phase; broken: string[] }[] = [];
const restarts: HostileRestart[] = [];

const chosen = (kinds: readonly string[]) =>
  options.only ? kinds.filter((kind) => options.only?.includes(kind)) : kinds;

// Ended from outside it takes its server with it.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

await runCommand(async () => {
  const unknown = options.only?.find((kind) => !KINDS.includes(kind));
  if (unknown) throw new CommandFailed(`There is no kind "${unknown}" among ${KINDS.join(', ')}.`);
  const setting = await describeSetting('made up', 'built-in', options.databaseUrl);
  printSetting(setting);
  console.log(
    `${texts} requests with texts, factor ${factor}, --seed ${seed}, load ${loadAverage()}`,
  );
  await using arena = await openArena({
    databaseUrl: options.databaseUrl,
    perSecond: rate,
    seed,
    starts: size.starts,
  });
  showHead(bounds);
  await note(
    arena,
    runPhase(arena, { kind: 'nobody else', atLeast: size.op, idleUser: 'idle' }, async () => []),
  );
  await tryTexts(arena);
  await tryOperations(arena);
  endCalls();
  finish(setting, arena.usualStart);
});

async function tryTexts(arena: Arena): Promise<void> {
  const kinds = chosen(DELIVERY_KINDS);
  const atOnce = options.only ? 1 : size.kindsAtOnce;
  const own = { seed, texts, atLeast: size.text, settleWithin: SETTLE_WITHIN };
  for (let start = 0; start < kinds.length; start += atOnce) {
    const group = kinds.slice(start, start + atOnce);
    await note(arena, attackWithTexts(arena, group, own));
    if (!options.short) await tryRestart(arena, group, start % 3 === 2 ? 'SIGKILL' : 'SIGTERM');
  }
  if (options.short && kinds.length > 0) {
    await tryRestart(arena, kinds, 'SIGTERM');
    await tryRestart(arena, kinds, 'SIGKILL');
  }
}

async function tryRestart(arena: Arena, kinds: readonly string[], signal: 'SIGTERM' | 'SIGKILL') {
  const restart = await restartDuring(arena, kinds, { seed }, signal);
  restarts.push(restart);
  showRestart(restart);
  // What hangs a server must not be blamed on the next kind.
  if (restart.isDown || restart.problems.length > 0) await arena.renew();
}

async function tryOperations(arena: Arena): Promise<void> {
  const names = chosen(Object.keys(OPERATIONS)).filter(
    (_, index) => options.only || index % size.every === 0,
  );
  if (names.length === 0) return;
  await fillMemory(arena);
  for (const name of names) {
    const isUp = await note(arena, attackWithOperation(arena, name, size.op));
    if (!isUp) await fillMemory(arena);
  }
}

/** @returns whether the server is still up; else it was begun anew */
async function note(arena: Arena, running: Promise<Phase>): Promise<boolean> {
  const phase = await running;
  const broken = brokenBy(phase, bounds);
  phases.push({ phase, broken });
  showPhase(phase, broken);
  if (phase.isDown) {
    await arena.renew();
  }
  return !phase.isDown;
}

function finish(setting: object, usualStart: number): void {
  const samples = phases.flatMap(({ phase }) => phase.samples);
  const most = (of: (phase: Phase) => number | null) =>
    Math.max(...phases.map(({ phase }) => of(phase) ?? 0));
  const remember = timesOf(samples, 'remember');
  const recall = timesOf(samples, 'recall');
  const facts = phases.flatMap(({ phase }) => (phase.firstFact ? [phase.firstFact.ms] : []));
  const broken = [
    ...phases.flatMap((each) => each.broken.map((what) => `${each.phase.kind}: ${what}`)),
    ...restarts.flatMap((each) => each.problems.map((what) => `${each.kind}, restarted: ${what}`)),
    ...(['remember', 'recall'] as const).flatMap((what) => {
      const { p99 } = timesOf(samples, what);
      return p99 > bounds.p99Ms ? [`all: ${what} took ${Math.round(p99)} ms (p99)`] : [];
    }),
  ];
  // The first phase has no attack in it.
  const tooBusy = (phases[0]?.broken.length ?? 0) > 0;
  console.log();
  if (tooBusy) console.log('This machine is too busy: bounds were broken before any attack.');
  printResult({
    command: 'test:hostile',
    tooBusy,
    rate,
    kinds: phases.length,
    failedKinds: phases.filter((each) => each.broken.length > 0).length,
    texts,
    short: options.short,
    remember,
    recall,
    eventLoopMaxMs: most(({ delayMax }) => delayMax),
    eventLoopP99Ms: quantile(
      phases.map(({ phase }) => phase.delayP99 ?? 0),
      0.5,
    ),
    peakMegabytes: most(({ peakMegabytes }) => peakMegabytes),
    firstFactMaxMs: facts.includes(null) ? null : Math.max(...facts.map(Number)),
    usualStart,
    slowestStart: Math.max(0, ...restarts.map(({ restart }) => restart?.ready ?? 0)),
    restarts: restarts.length,
    broken,
    bounds,
    factor,
    seed,
    load: loadAverage(),
    ...setting,
  });
  if (broken.length > 0) process.exitCode = 1;
}
