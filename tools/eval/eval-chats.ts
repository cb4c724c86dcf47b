import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { untilSettled } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { meanOf } from '../../src/domain/segments/gap-statistics.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { loadAverage, runInFlight, timed } from '../support/measure.ts';
import { patient, UNHURRIED } from '../support/patiently.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { type Asked, askQuestions } from './chats/ask-questions.ts';
import { type ChatScore, figuresByKind, figuresOf, scoreChat } from './chats/chat-figures.ts';
import { type Chat, readChat, turnsOf } from './chats/chat-file.ts';
import { printFigures } from './chats/print-chats.ts';
import { printMisses } from './chats/print-misses.ts';
import { readMemory } from './chats/read-memory.ts';
import { type Placed, sendChat } from './chats/send-chat.ts';

type Options = { contextTokens: number; show?: boolean; databaseUrl?: string };

/** How many people talk at the same time. */
const AT_ONCE = 4;

type Person = { userId: string; chat: Chat; placed: Placed[] };

async function evaluate(
  files: string[],
  { contextTokens, show = false, databaseUrl }: Options,
): Promise<void> {
  const chats = await Promise.all(files.map((file) => readChat(file)));
  await using server = patient(await startServerProcess({ databaseUrl, env: UNHURRIED }));
  const { people, msPerTurnTold, settleSeconds } = await rememberAll(server, chats);
  const scores = await scoreAll(server, people, contextTokens);
  await using embedder = createBuiltInEmbedder();
  const setting = await describeSetting(
    chats.map(({ file }) => file).join(' '),
    embedder.name,
    databaseUrl,
  );
  printSetting(setting);
  printFigures(scores, contextTokens);
  printTable([
    ['speed', ''],
    ['milliseconds per remembered turn', msPerTurnTold.toFixed(1)],
    ['seconds until the backlog is empty', settleSeconds.toFixed(1)],
    ['load average', loadAverage()],
  ]);
  if (show) for (const score of scores) printMisses(score);
  const { answerableContext, plainContext, ...figures } = figuresOf(scores);
  printResult({
    [`answerableContext${contextTokens}`]: answerableContext,
    [`plainContext${contextTokens}`]: plainContext,
    ...figures,
    byKind: figuresByKind(scores.flatMap(({ asked }) => asked)),
    byFile: Object.fromEntries(scores.map((score) => [score.chat.file, figuresOf([score])])),
    msPerTurnTold,
    settleSeconds,
    loadAverage: loadAverage(),
    ...setting,
  });
}

/** Stores the conversations of every person in a memory of its own, and waits until all background work is done. */
async function rememberAll(server: ServerProcess, chats: readonly Chat[]) {
  const people: Person[] = [];
  const rememberMs: number[] = [];
  {
    const count = chats.reduce((sum, chat) => sum + turnsOf(chat).length, 0);
    using remembered = showProgress('turns remembered', count);
    await runInFlight(chats.length, AT_ONCE, async (index) => {
      const chat = chats[index] as Chat;
      const userId = `chat ${index} ${chat.id}`;
      const { placed, ms } = await sendChat(server, userId, chat, () => remembered.add(1));
      rememberMs.push(...ms);
      people[index] = { userId, chat, placed };
    });
  }
  using settled = showProgress('memories settled', chats.length);
  const userIds = people.map(({ userId }) => userId);
  const { ms } = await timed(() => untilSettled(server, userIds, () => settled.add(1)));
  return { people, msPerTurnTold: meanOf(rememberMs), settleSeconds: ms / 1000 };
}

/** Scores what each memory derived, and what it recalls for the questions. */
async function scoreAll(
  server: ServerProcess,
  people: readonly Person[],
  contextTokens: number,
): Promise<ChatScore[]> {
  const count = people.reduce((sum, { chat }) => sum + chat.questions.length, 0);
  using progress = showProgress('questions', count);
  const scores: ChatScore[] = [];
  for (const { userId, chat, placed } of people) {
    const memory = await readMemory(server, userId, placed);
    const asked: Asked[] = await askQuestions(server, userId, chat, contextTokens, () =>
      progress.add(1),
    );
    scores.push(scoreChat(chat, memory, asked));
  }
  return scores;
}

await runCommand(() =>
  new Command('npm run eval:chats --')
    .description(
      'Replays weeks of labelled conversations, and compares what is remembered with the labels.',
    )
    .argument('<files...>', 'JSON files, one per person: conversations, labels and questions')
    .option('--context-tokens <count>', 'token budget of the prompt context', countOption, 600)
    .option('--show', 'list what is missing and what is wrong')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .action(evaluate)
    .parseAsync(),
);
