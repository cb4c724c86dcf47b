import { createMemory } from '@mnemograph/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { loadAverage, quantile, timed } from '../support/measure.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { createScratchPlace } from '../support/scratch-place.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { type BenchMemory, madeUpMemories } from './bench-memories.ts';
import { fill } from './bench-served.ts';

// Compares a recall through MCP with the same recall over GraphQL, by the official clients of both.

type Options = { databaseUrl?: string; users: number; turns: number; queries: number };
type Ask = (question: string) => Promise<unknown>;
type Times = Record<string, number[]>;

/** As the tool `recall` asks by default. */
const LIMITS = { first: 8, maxTokens: 1_500 };
/** How many questions warm each way up. */
const WARM_UP = 150;
/** What MCP may add to the median, in milliseconds. */
const MOST = 5;
const ERAS = { 'MCP of 2026': 'auto', 'MCP of 2025': 'legacy' } as const;

await runCommand(() =>
  new Command('npm run bench:mcp --')
    .description('Measures how fast recalls are answered through MCP, beside GraphQL.')
    .option(
      '--database-url <url>',
      'PostgreSQL server on which to create a database; else embedded',
    )
    .option('--users <count>', 'memories', countOption, 5)
    .option('--turns <count>', 'turns in each memory', countOption, 500)
    .option('--queries <count>', 'questions', countOption, 400)
    .action(measure)
    .parseAsync(),
);

async function measure({ databaseUrl, users, turns, queries }: Options): Promise<void> {
  const memories = madeUpMemories(users, turns);
  await using place = await createScratchPlace(databaseUrl);
  await using server = await startServerProcess({ env: place.env });
  await fill(server, memories);
  const closing: (() => Promise<void>)[] = [];
  const asking = await Promise.all(memories.map((memory) => waysOf(server, memory, closing)));

  const times: Times = {};
  for (let number = -WARM_UP; number < queries; number += 1) {
    const which = (number + WARM_UP) % memories.length;
    const { questions } = memories[which] as BenchMemory;
    const question = questions[(number + WARM_UP) % questions.length] as string;
    // Each way is the first as often as the others, so that none profits from what another has cached.
    const ways = Object.entries(asking[which] as Record<string, Ask>);
    for (const turn of ways.keys()) {
      const [name, ask] = ways[(turn + Math.abs(number)) % ways.length] as [string, Ask];
      const { ms } = await timed(() => ask(question));
      if (number >= 0) times[name] = [...(times[name] ?? []), ms];
    }
  }
  for (const close of closing) await close();

  const setting = await describeSetting('made-up chat messages', 'built-in', databaseUrl);
  printSetting(setting);
  const figures = Object.entries(times).map(([name, ms]) => ({
    name,
    p50: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
  }));
  const [graphql] = figures;
  const added = figures.map(({ p50 }) => p50 - (graphql?.p50 ?? Number.NaN));
  printTable([
    [`${queries} recalls, ${users} × ${turns} turns`, 'p50 ms', 'p95 ms', 'p50 over GraphQL'],
    ...figures.map(({ name, p50, p95 }, index) => [
      name,
      ...[p50, p95, added[index] ?? Number.NaN].map((ms) => ms.toFixed(2)),
    ]),
    ['load average', loadAverage()],
  ]);
  const addedMs = Math.max(...added);
  printResult({
    command: 'bench:mcp',
    figures,
    addedMs,
    users,
    turns,
    queries,
    load: loadAverage(),
    ...setting,
  });
  if (!(addedMs <= MOST)) process.exitCode = 1;
}

/** The ways to ask one memory: GraphQL first. */
async function waysOf(
  { url, apiKey }: ServerProcess,
  { userId }: BenchMemory,
  closing: (() => Promise<void>)[],
): Promise<Record<string, Ask>> {
  const memory = createMemory({ url, apiKey }).as(userId);
  const ways: Record<string, Ask> = { GraphQL: (question) => memory.recall(question, LIMITS) };
  for (const [name, mode] of Object.entries(ERAS)) {
    const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${apiKey}`, 'x-mnemograph-user': userId };
    const address = new URL('/mcp', url);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
    closing.push(() => client.close());
    ways[name] = async (query) => {
      const answer = await client.callTool({ name: 'recall', arguments: { query } });
      if (answer.isError) throw new Error(JSON.stringify(answer.content));
    };
  }
  return ways;
}
