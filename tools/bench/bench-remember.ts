import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { untilSettled } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { type ChatTexts, createChatTexts } from '../support/chat-texts.ts';
import { loadAverage, median, quantile, runInFlight, spreadOf, timed } from '../support/measure.ts';
import { processorTimes, THREADS } from '../support/processor-times.ts';
import {
  describeSetting,
  printResult,
  printSetting,
  printTable,
  spreadCells,
} from '../support/report.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { measureBareWrites } from './bench-bare-writes.ts';
import { diskSize, tableSizes } from './disk-size.ts';

type Options = {
  databaseUrl?: string;
  rounds: number;
  single: number;
  concurrent: number;
  batched: number;
  cpuProf?: string;
};

type Sent = Awaited<ReturnType<typeof sendTurns>>;
/** The results of a round; `bare`: of the reference, on PostgreSQL. */
type Round = {
  one: Sent;
  concurrent: Sent;
  batched: Sent;
  bare: Awaited<ReturnType<typeof measureBareWrites>> | null;
};

/** How to send turns: their number, calls in flight, and turns per call. */
type Sending = { turns: number; inFlight: number; batch: number };

const USERS = Array.from({ length: 20 }, (_, index) => `user-${index + 1}`);
const IN_FLIGHT = 8;

const REMEMBER = `mutation Remember($input: RememberInput!) {
  remember(input: $input) {
    __typename
    ... on RememberPayload { turns { status turn { id } } }
    ... on Error { message }
  }
}`;

await runCommand(() =>
  new Command('npm run bench:remember --')
    .description('Measures how fast turns are stored over HTTP while the background work runs.')
    .option(
      '--database-url <url>',
      'PostgreSQL server on which to create a database; else embedded',
    )
    .option('--rounds <count>', 'how often to measure', countOption, 3)
    .option('--single <turns>', 'turns per round, one at a time', countOption, 300)
    .option('--concurrent <turns>', 'turns per round, with 8 calls in flight', countOption, 2_000)
    .option('--batched <turns>', 'turns per round, in batches of 100', countOption, 4_000)
    .option('--cpu-prof <folder>', 'folder for CPU profiles of the server')
    .action(measure)
    .parseAsync(),
);

async function measure(options: Options): Promise<void> {
  const { databaseUrl, rounds, cpuProf } = options;
  await using server = await startServerProcess({
    databaseUrl,
    nodeOptions: cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${cpuProf}`] : [],
  });
  const texts = createChatTexts(1);
  await sendTurns(server, texts, { turns: 400, inFlight: 2, batch: 1 });

  const found: Round[] = [];
  using done = showProgress('rounds', rounds * 3);
  for (let round = 0; round < rounds; round += 1) {
    const one = await sendTurns(server, texts, { turns: options.single, inFlight: 1, batch: 1 });
    done.add(1);
    const eight = { turns: options.concurrent, inFlight: IN_FLIGHT, batch: 1 };
    const concurrent = await sendTurns(server, texts, eight);
    done.add(1);
    const hundreds = { turns: options.batched, inFlight: IN_FLIGHT, batch: 100 };
    const batched = await sendTurns(server, texts, hundreds);
    done.add(1);
    const bare = server.databaseUrl
      ? await measureBareWrites(server.databaseUrl, { ...options, inFlight: IN_FLIGHT })
      : null;
    found.push({ one, concurrent, batched, bare });
  }
  done[Symbol.dispose]();

  const bareRounds = found.flatMap(({ one, concurrent, bare }) =>
    bare ? [{ one: median(one.times), rate: concurrent.rate, bare }] : [],
  );
  const result = {
    ...(bareRounds.length > 0 && {
      bareP50Ms: spreadOf(bareRounds.map(({ bare }) => bare.p50Ms)),
      bareRowsPerSecond8InFlight: spreadOf(bareRounds.map(({ bare }) => bare.perSecond)),
      rememberToBareP50: spreadOf(bareRounds.map(({ one, bare }) => one / bare.p50Ms)),
      bareToRememberRate: spreadOf(bareRounds.map(({ rate, bare }) => bare.perSecond / rate)),
    }),
    rememberP50Ms: spreadOf(found.map(({ one }) => median(one.times))),
    rememberP95Ms: spreadOf(found.map(({ one }) => quantile(one.times, 0.95))),
    turnsPerSecond8InFlight: spreadOf(found.map(({ concurrent }) => concurrent.rate)),
    turnsPerSecondBatched: spreadOf(found.map(({ batched }) => batched.rate)),
    backgroundTurnsPerSecond: spreadOf(found.map(({ batched }) => batched.settledRate)),
    bytesPerTurn: spreadOf(found.map(({ concurrent }) => concurrent.bytesPerTurn)),
    bytesPerTurnBatched: spreadOf(found.map(({ batched }) => batched.bytesPerTurn)),
    computingMsPerTurn: Object.fromEntries(
      THREADS.map((kind) => [kind, spreadOf(found.map(({ batched }) => batched.computing[kind]))]),
    ),
  };
  await using embedder = createBuiltInEmbedder();
  const setting = await describeSetting('made-up chat messages', embedder.name, databaseUrl);
  printSetting(setting);
  printTable([
    [`medians of ${rounds} rounds`, 'median', 'min', 'max'],
    ['one at a time, p50 ms', ...spreadCells(result.rememberP50Ms, 2)],
    ['one at a time, p95 ms', ...spreadCells(result.rememberP95Ms, 2)],
    ...(result.bareP50Ms
      ? [['one bare INSERT at a time, p50 ms', ...spreadCells(result.bareP50Ms, 2)]]
      : []),
    ['8 in flight, turns/s', ...spreadCells(result.turnsPerSecond8InFlight, 0)],
    ...(result.bareRowsPerSecond8InFlight
      ? [
          [
            'bare INSERTs, 8 in flight, rows/s',
            ...spreadCells(result.bareRowsPerSecond8InFlight, 0),
          ],
        ]
      : []),
    ['batches of 100, 8 in flight, turns/s', ...spreadCells(result.turnsPerSecondBatched, 0)],
    ['the same until indexed, turns/s', ...spreadCells(result.backgroundTurnsPerSecond, 0)],
    ['bytes on disk a turn, one a call', ...spreadCells(result.bytesPerTurn, 0)],
    ['bytes on disk a turn, 100 a call', ...spreadCells(result.bytesPerTurnBatched, 0)],
    ...Object.entries(result.computingMsPerTurn).map(([kind, spread]) => [
      `processor time a turn, 100 a call, ms: ${kind}`,
      ...spreadCells(spread, 2),
    ]),
    ['load average', loadAverage()],
  ]);
  if (server.databaseUrl) printTable(await sizeTable(server.databaseUrl));
  printResult({ ...result, rounds, loadAverage: loadAverage(), ...setting });
}

/** Sends turns and waits until all background work is done. @returns how long both took */
async function sendTurns(
  server: ServerProcess,
  texts: ChatTexts,
  { turns, inFlight, batch }: Sending,
) {
  const bytesBefore = await diskSize(server);
  const before = await processorTimes(server);
  const start = performance.now();
  const { ms, result: times } = await timed(() =>
    runInFlight(turns / batch, inFlight, (index) => remember(server, texts, index, batch)),
  );
  await untilSettled(server, USERS);
  const settledRate = turns / ((performance.now() - start) / 1000);
  const after = await processorTimes(server);
  return {
    times,
    rate: turns / (ms / 1000),
    settledRate,
    computing: after.since(before, turns),
    bytesPerTurn: ((await diskSize(server)) - bytesBefore) / turns,
  };
}

/** One call as an application sends it: with a key for each turn, so that it can be repeated. */
async function remember(server: ServerProcess, texts: ChatTexts, index: number, count: number) {
  const turns = Array.from({ length: count }, (_, number) => ({
    text: texts.turn(),
    role: number % 2 === 0 ? 'USER' : 'ASSISTANT',
    idempotencyKey: randomUUID(),
  }));
  const input = { userId: USERS[index % USERS.length], channel: 'sms', turns };
  const { remember: answer } = await server.request<{
    remember: { __typename: string; turns: { status: string }[] };
  }>(REMEMBER, { input });
  if (answer.__typename !== 'RememberPayload' || answer.turns.length !== count) {
    throw new Error(`The turns were not stored: ${JSON.stringify(answer)}`);
  }
}

async function sizeTable(databaseUrl: string) {
  const sizes = [...(await tableSizes(databaseUrl))].filter(([, bytes]) => bytes > 100_000);
  const rows = sizes.map(([name, bytes]) => [name, (bytes / 1_000_000).toFixed(1)]);
  return [['table', 'MB with indexes'], ...rows];
}
