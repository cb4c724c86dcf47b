import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { CommandFailed, runCommand } from '../../src/cli/support/run-command.ts';
import { loadAverage } from '../support/measure.ts';
import { describeSetting, printResult, printSetting } from '../support/report.ts';
import { type Arena, openArena } from './hostile/arena.ts';
import { endCalls } from './hostile/call.ts';
import { boundsOf, brokenBy } from './hostile/judge.ts';
import {
  attackWithImport,
  attackWithOperation,
  fillMemory,
  LONG_IMPORT,
  OPERATIONS,
} from './hostile/operations/operation-phases.ts';
import { type Phase, runPhase } from './hostile/phase.ts';
import { type HostileRestart, restartAfter } from './hostile/restart.ts';
import { showHead, showPhase, showRestart } from './hostile/show.ts';
import { type JudgedPhase, summaryOf } from './hostile/summary.ts';
import { DELIVERY_KINDS } from './hostile/texts/deliveries.ts';
import { attackWithTexts, restartDuring } from './hostile/texts/text-phases.ts';

// One user sends requests that are made to stall or exhaust a server, while a second user sends calls at regular
// intervals, whether or not earlier ones are answered. Other users may not notice, and nothing may be lost.

const KINDS = [...DELIVERY_KINDS, ...Object.keys(OPERATIONS), LONG_IMPORT];

const options = new Command('npm run test:hostile --')
  .description('Attacks a server with texts and operations while another user talks to it.')
  .option('--short', 'fewer texts and operations, with wider time limits, in two minutes', false)
  .option('--texts <count>', 'requests with hostile texts; 200, or 40 with --short', countOption)
  .option('--only <kinds...>', 'run only these kinds of texts or operations')
  .option('--seed <number>', 'repeats the texts of an earlier run with this seed', countOption)
  .option('--factor <number>', 'multiplies the time limits; 1, or 3 with --short', countOption)
  .option('--rate <count>', 'calls of the second user per second; 10', countOption)
  .option('--database-url <url>', 'PostgreSQL server on which to create a database; else embedded')
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

/** The sizes of a full and a short run. */
const SIZES = {
  full: {
    ...{ texts: 200, factor: 1, starts: 3, kindsAtOnce: 1, every: 1, text: 6_000, op: 5_000 },
    import: { turns: 20_000, workedOnFor: 60_000 },
  },
  short: {
    ...{ texts: 40, factor: 3, starts: 2, kindsAtOnce: 5, every: 4, text: 3_000, op: 1_500 },
    import: { turns: 2_000, workedOnFor: 8_000 },
  },
};
const size = options.short ? SIZES.short : SIZES.full;
const texts = options.texts ?? size.texts;
const factor = options.factor ?? size.factor;
const seed = options.seed ?? randomInt(1, 2 ** 31);
const bounds = boundsOf(factor);
const rate = options.rate ?? 10;
/** How often a short run tries a slow kind. */
const ROUNDS = 3;
const SETTLE_WITHIN = options.short ? 10_000 : 20_000;

const phases: JudgedPhase[] = [];
const restarts: HostileRestart[] = [];
/** Whether time limits were exceeded before any attack. */
let isTooBusy = false;

const chosen = (kinds: readonly string[]) =>
  options.only ? kinds.filter((kind) => options.only?.includes(kind)) : kinds;

// On exit the servers are stopped, too.
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
  const calm = { kind: 'nobody else', atLeast: size.op };
  await note(arena, (round) =>
    runPhase(arena, { ...calm, idleUser: `idle ${round}` }, async () => []),
  );
  isTooBusy = (phases[0]?.broken.times.length ?? 0) > 0;
  await tryTexts(arena);
  await tryOperations(arena);
  if (chosen([LONG_IMPORT]).length > 0) {
    await note(arena, (round) => attackWithImport(arena, { ...size.import, seed, round }));
  }
  endCalls();
  finish(setting, arena.usualStart);
});

async function tryTexts(arena: Arena): Promise<void> {
  const kinds = chosen(DELIVERY_KINDS);
  const atOnce = options.only ? 1 : size.kindsAtOnce;
  const own = { seed, texts, atLeast: size.text, settleWithin: SETTLE_WITHIN };
  for (let start = 0; start < kinds.length; start += atOnce) {
    const group = kinds.slice(start, start + atOnce);
    await note(arena, (round) => attackWithTexts(arena, group, { ...own, round }));
    if (!options.short) await tryRestart(arena, group, start % 3 === 2 ? 'SIGKILL' : 'SIGTERM');
  }
  if (options.short && kinds.length > 0) {
    await tryRestart(arena, kinds, 'SIGTERM');
    await tryRestart(arena, kinds, 'SIGKILL');
  }
}

async function tryRestart(arena: Arena, kinds: readonly string[], signal: 'SIGTERM' | 'SIGKILL') {
  await noteRestart(arena, await restartDuring(arena, kinds, { seed }, signal));
}

async function noteRestart(arena: Arena, restart: HostileRestart): Promise<void> {
  restarts.push(restart);
  showRestart(restart);
  // A server that hangs must not be blamed on the next kind.
  if (restart.isDown || restart.problems.length > 0) await arena.renew();
}

async function tryOperations(arena: Arena): Promise<void> {
  const names = chosen(Object.keys(OPERATIONS)).filter(
    (_, index) => options.only || index % size.every === 0,
  );
  if (names.length === 0) return;
  await fillMemory(arena);
  for (const name of names) {
    const isUp = await note(arena, () => attackWithOperation(arena, name, size.op));
    if (isUp && !options.short)
      await noteRestart(arena, await restartAfter(arena, name, 'SIGTERM'));
    if (!isUp) await fillMemory(arena);
  }
}

/** @returns whether the server is still up; otherwise it was replaced */
async function note(arena: Arena, attack: (round: number) => Promise<Phase>): Promise<boolean> {
  for (let round = 1; ; round += 1) {
    const phase = await attack(round);
    const broken = brokenBy(phase, bounds);
    showPhase(phase, [...broken.others, ...broken.times]);
    // On a busy machine any kind is slow sometimes; one that stalls the server is slow each time.
    const isSlowOnce = options.short && broken.times.length > 0 && broken.others.length === 0;
    if (isSlowOnce && !isTooBusy && round < ROUNDS) continue;
    phases.push({ phase, broken });
    if (phase.isDown) await arena.renew();
    return !phase.isDown;
  }
}

function finish(setting: object, usualStart: number): void {
  // A short run is for shared machines: if they are busy it does not judge times.
  const isTimed = !(options.short && isTooBusy);
  const summary = summaryOf({ phases, restarts, bounds, isTimed });
  console.log();
  if (isTooBusy) {
    const unjudged = isTimed ? '' : ' Times were not judged.';
    console.log(`This machine is too busy: limits were exceeded before any attack.${unjudged}`);
  }
  printResult({
    command: 'test:hostile',
    tooBusy: isTooBusy,
    rate,
    texts,
    short: options.short,
    ...summary,
    usualStart,
    bounds,
    factor,
    seed,
    load: loadAverage(),
    ...setting,
  });
  if (summary.broken.length > 0) process.exitCode = 1;
}
