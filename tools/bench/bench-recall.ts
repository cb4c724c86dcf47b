import { basename } from 'node:path';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { loadAverage, quantile, type Spread, spreadOf } from '../support/measure.ts';
import {
  describeSetting,
  printResult,
  printSetting,
  printTable,
  spreadCells,
} from '../support/report.ts';
import { createScratchPlace } from '../support/scratch-place.ts';
import { measureInProcess } from './bench-in-process.ts';
import { locomoMemories, madeUpMemories } from './bench-memories.ts';
import { makeQueries } from './bench-queries.ts';
import { measureServed, type ServedOptions } from './bench-served.ts';

type Options = ServedOptions & {
  beside?: number;
  databaseUrl?: string;
  data?: string;
  users: number;
  turns: number;
};

await runCommand(() =>
  new Command('npm run bench:recall --')
    .description('Measures how fast recalls are answered, compared with a plain query.')
    .option(
      '--database-url <url>',
      'PostgreSQL server on which to create a database; else embedded',
    )
    .option('--data <file>', 'LoCoMo file to fill the memories with; else synthetic messages')
    .option('--users <count>', 'memories', countOption, 20)
    .option('--turns <count>', 'turns in each memory', countOption, 500)
    .option('--rounds <count>', 'how often to measure', countOption, 3)
    .option('--queries <count>', 'questions per round', countOption, 100)
    .option('--while-embedding', 'also measure while 2,000 turns are being embedded')
    .option('--beside <count>', 'also measure beside this many turns of other users', countOption)
    .option('--cpu-prof <folder>', 'folder for CPU profiles of the server')
    .action(measure)
    .parseAsync(),
);

async function measure(options: Options): Promise<void> {
  const { databaseUrl, data, users, turns, rounds } = options;
  const memories = data ? await locomoMemories(data, users, turns) : madeUpMemories(users, turns);
  await using place = await createScratchPlace(databaseUrl);
  await using embedder = createBuiltInEmbedder();
  const queries = await makeQueries(memories, options, embedder);

  const served = await measureServed(place.env, memories, queries, options, embedder.name);
  const inProcess = await measureInProcess(
    place.env,
    served.apiKey,
    queries,
    options,
    embedder.name,
  );
  const { recall, allKinds, graph, graphAllKinds, reference, vectorReference, beside } = inProcess;
  const byRound = (times: number[], other: number[]) =>
    spreadOf(times.map((ms, round) => ms / (other[round] ?? Number.NaN)));

  const result = {
    recallP50Ms: spreadOf(recall),
    allKindsP50Ms: spreadOf(allKinds),
    graphP50Ms: spreadOf(graph),
    graphAllKindsP50Ms: spreadOf(graphAllKinds),
    referenceP50Ms: spreadOf(reference),
    vectorReferenceP50Ms: spreadOf(vectorReference),
    ratio: byRound(recall, reference),
    vectorRatio: byRound(recall, vectorReference),
    graphRatio: byRound(graph, reference),
    ...(beside && {
      besideP50Ms: spreadOf(beside),
      besideRatio: byRound(beside, allKinds),
    }),
    httpP50Ms: spreadOf(served.given.map((times) => quantile(times, 0.5))),
    httpP95Ms: spreadOf(served.given.map((times) => quantile(times, 0.95))),
    endToEndToReference: byRound(
      served.whole.map((times) => quantile(times, 0.5)),
      reference,
    ),
    endToEndP50Ms: spreadOf(served.whole.map((times) => quantile(times, 0.5))),
    endToEndP95Ms: spreadOf(served.whole.map((times) => quantile(times, 0.95))),
  };
  const setting = await describeSetting(
    data ? basename(data) : 'made-up chat messages',
    embedder.name,
    databaseUrl,
  );
  printSetting(setting);
  const row = (name: string, spread: Spread) => [name, ...spreadCells(spread, 2)];
  printTable([
    [`${users} × ${turns} turns, ${rounds} rounds`, 'median', 'min', 'max'],
    row('recall of turns in-process, vector given, p50 ms', result.recallP50Ms),
    row('the same of all kinds', result.allKindsP50Ms),
    row('turns through the graph, no network', result.graphP50Ms),
    row('all kinds through the graph', result.graphAllKindsP50Ms),
    row('reference query over halfvec, p50 ms', result.referenceP50Ms),
    row('reference query over vector', result.vectorReferenceP50Ms),
    row('turns / reference over halfvec', result.ratio),
    row('turns / reference over vector', result.vectorRatio),
    row('turns through the graph / over halfvec', result.graphRatio),
    ...(result.besideP50Ms ? [row('all kinds, beside other users', result.besideP50Ms)] : []),
    ...(result.besideRatio ? [row('beside others / alone', result.besideRatio)] : []),
    row('over HTTP, vector given, p50 ms', result.httpP50Ms),
    row('over HTTP, vector given, p95 ms', result.httpP95Ms),
    row('end to end, p50 ms', result.endToEndP50Ms),
    row('end to end / reference over halfvec', result.endToEndToReference),
    row('end to end, p95 ms', result.endToEndP95Ms),
    ...Object.entries(served.whileEmbedding ?? {}).map(([name, figure]) => [
      name,
      figure.toFixed(1),
    ]),
    ['load average', loadAverage()],
  ]);
  const sizes = { users, turns, rounds, loadAverage: loadAverage() };
  printResult({ ...result, ...served.whileEmbedding, ...sizes, ...setting });
}
