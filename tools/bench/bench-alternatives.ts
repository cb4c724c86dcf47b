import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { type Chat, readChat, turnsOf } from '../eval/chats/chat-file.ts';
import { loadAverage, median, quantile, runInFlight, timed } from '../support/measure.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { type Answers, answersOf, ownAnswers } from './alternatives/answers.ts';
import { ALTERNATIVES, installAlternatives } from './alternatives/install.ts';
import { openLangGraph } from './alternatives/langgraph.ts';
import { openMem0 } from './alternatives/mem0.ts';
import { openMnemograph } from './alternatives/mnemograph.ts';
import type { Embed, Store } from './alternatives/store.ts';
import { type BenchMemory, madeUpMemories } from './bench-memories.ts';

// Other libraries for memory beside this server: one PostgreSQL, the same texts and vectors, no model. The libraries
// run in this process and only store and search. The server is called over HTTP while it derives facts and the rest.

type Options = { databaseUrl: string; users: number; turns: number };
type Measured = {
  writeP50Ms: number;
  writesPerSecond8InFlight: number;
  searchP50Ms: number;
  searchP95Ms: number;
  answers: Answers | null;
};

const ONE_AT_A_TIME = 300;
const IN_FLIGHT = 8;
const WARM_UP = 100;
const SEARCHES = 400;
const FIRST = 10;

const HEAD = [
  'memory',
  'write, p50 ms',
  'writes/s, 8 in flight',
  'search, p50 ms',
  'search, p95 ms',
  'answered by 5 hits',
  'in 600 tokens',
];

await runCommand(() =>
  new Command('npm run bench:alternatives --')
    .description(
      'Compares with other libraries, which are installed into a temporary folder by npm.',
    )
    .argument('[chats...]', 'files of labelled chats, to compare which questions can be answered')
    .requiredOption('--database-url <url>', 'PostgreSQL server on which to create databases')
    .option('--users <count>', 'memories', countOption, 8)
    .option('--turns <count>', 'turns in each memory', countOption, 500)
    .action(measure)
    .parseAsync(),
);

async function measure(files: string[], { databaseUrl, users, turns }: Options): Promise<void> {
  const chats = await Promise.all(files.map((file) => readChat(file)));
  const memories = madeUpMemories(users, turns);
  await using embedder = createBuiltInEmbedder();
  const embed = await embedAll(memories, chats, embedder);
  await using installed = await installAlternatives();
  const measured = new Map<string, Measured>();
  using done = showProgress('memories compared', 3);
  for (const open of [
    () => openMem0(installed, databaseUrl, embed),
    () => openLangGraph(installed, databaseUrl, embed),
  ]) {
    await using store = await open();
    const speed = await speedOf(store, memories);
    const answers = chats.length > 0 ? await answersOf(store, chats) : null;
    measured.set(store.name, { ...speed, answers });
    done.add(1);
  }
  {
    await using store = await openMnemograph(databaseUrl, embed);
    const speed = await speedOf(store, memories);
    const answers = chats.length > 0 ? await ownAnswers(store.server, store.settled, chats) : null;
    measured.set(store.name, { ...speed, answers });
    done.add(1);
  }
  const setting = await describeSetting(
    ['made-up chat messages', ...chats.map(({ file }) => file)].join(' '),
    embedder.name,
    databaseUrl,
  );
  printSetting(setting);
  printTable([HEAD, ...[...measured].map(([name, figures]) => cellsOf(name, figures))]);
  printResult({
    ...Object.fromEntries(measured),
    versions: ALTERNATIVES,
    loadAverage: loadAverage(),
    ...setting,
  });
}

/** Makes the vectors of all texts and questions. Further texts are embedded when they are asked for. */
async function embedAll(
  memories: readonly BenchMemory[],
  chats: readonly Chat[],
  embedder: Embedder,
): Promise<Embed> {
  const made = new Map<string, number[]>();
  const embed: Embed = async (texts) => {
    const missing = [...new Set(texts.filter((text) => !made.has(text)))];
    const vectors = missing.length > 0 ? await embedder.embed(missing, { priority: 'batch' }) : [];
    for (const [at, text] of missing.entries()) made.set(text, Array.from(vectors[at] ?? []));
    return texts.map((text) => made.get(text) ?? []);
  };
  await embed([
    ...memories.flatMap(({ turns, questions }) => [...turns.map(({ text }) => text), ...questions]),
    ...chats.flatMap((chat) => turnsOf(chat).map(({ text }) => text)),
    ...chats.flatMap(({ questions }) => questions.map(({ q }) => q)),
  ]);
  return embed;
}

/** Stores all turns, the first ones one at a time, and asks questions about them. */
async function speedOf(
  store: Store,
  memories: readonly BenchMemory[],
): Promise<Omit<Measured, 'answers'>> {
  const writes = inTurn(memories, ({ turns }) => turns.map(({ text }) => text));
  const write = (from: number) => (at: number) => {
    const { userId, text } = writes[from + at] as Said;
    return store.add(userId, text);
  };
  const one = await runInFlight(ONE_AT_A_TIME, 1, write(0));
  const others = writes.length - ONE_AT_A_TIME;
  const eight = await timed(() => runInFlight(others, IN_FLIGHT, write(ONE_AT_A_TIME)));
  await store.settled(memories.map(({ userId }) => userId));
  const asked = inTurn(memories, ({ questions }) => questions).slice(0, WARM_UP + SEARCHES);
  const search = (at: number) => {
    const { userId, text } = asked[at] as Said;
    return store.find(userId, text, FIRST);
  };
  const searched = (await runInFlight(asked.length, 1, search)).slice(WARM_UP);
  return {
    writeP50Ms: median(one),
    writesPerSecond8InFlight: others / (eight.ms / 1_000),
    searchP50Ms: median(searched),
    searchP95Ms: quantile(searched, 0.95),
  };
}

type Said = { userId: string; text: string };

/** Returns the texts of all users in turn. */
function inTurn(
  memories: readonly BenchMemory[],
  textsOf: (memory: BenchMemory) => readonly string[],
): Said[] {
  const all = memories.map((memory) =>
    textsOf(memory).map((text) => ({ userId: memory.userId, text })),
  );
  const longest = Math.max(...all.map((own) => own.length));
  return Array.from({ length: longest }, (_, at) => all.flatMap((own) => own[at] ?? [])).flat();
}

function cellsOf(name: string, figures: Measured): string[] {
  const share = (of: (answers: Answers) => number) =>
    figures.answers ? (of(figures.answers) / figures.answers.questions).toFixed(2) : '';
  return [
    name,
    figures.writeP50Ms.toFixed(1),
    figures.writesPerSecond8InFlight.toFixed(0),
    figures.searchP50Ms.toFixed(1),
    figures.searchP95Ms.toFixed(1),
    share(({ byFirstHits }) => byFirstHits),
    share(({ inContext }) => inContext),
  ];
}
