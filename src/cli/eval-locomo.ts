import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { createBuiltInEmbedder } from '../embedder/built-in.ts';
import type { Embedder, EmbedderIdentity } from '../embedder/embedder.ts';
import { countOption } from './count-option.ts';
import { type LocomoConversation, type LocomoTurn, parseLocomo } from './locomo.ts';
import { loadAverage, quantile, timed } from './measure.ts';
import {
  captureEverything,
  importTurns,
  type RecalledTurn,
  recall,
  untilSettled,
} from './memory-client.ts';
import { showProgress } from './progress.ts';
import { type Answered, scoreAnswers, scoreByCategory } from './recall-scores.ts';
import { describeSetting, printResult, printSetting, printTable } from './report.ts';
import { runCommand } from './run-command.ts';
import { coverageOf, evaluateSplices } from './segmentation/through-server.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const HITS = 50;
const DAY = 86_400_000;

async function evaluate(
  file: string,
  { databaseUrl, limit, splice }: { databaseUrl?: string; limit?: number; splice?: boolean },
): Promise<void> {
  const conversations = parseLocomo(await readFile(file, 'utf8')).slice(0, limit);
  await using server = await startServerProcess({ databaseUrl });
  const ingest = await ingestAll(server, conversations);
  const coverage = await coverageOf(
    server,
    conversations.map(({ id }) => id),
  );
  const spliced = splice ? await evaluateSplices(server, conversations) : null;
  const { answers, recallMs } = await askAll(server, conversations);
  await using embedder = createBuiltInEmbedder();
  const searchMs = await askWithVectors(server, conversations, embedder);

  const setting = await describeSetting(basename(file), embedder.name, databaseUrl);
  const scores = scoreAnswers(answers);
  const byCategory = scoreByCategory(answers);
  const speed = {
    recallP50Ms: quantile(recallMs, 0.5),
    recallP95Ms: quantile(recallMs, 0.95),
    searchP50Ms: quantile(searchMs, 0.5),
    ...ingest,
  };
  printSetting(setting);
  printTable([
    ['evidence found', 'share'],
    ...Object.entries(scores).map(([name, share]) => [name, share.toFixed(3)]),
  ]);
  printTable([
    ['category', 'questions', 'recall@5', 'recall@10'],
    ...Object.entries(byCategory).map(([name, own]) => [
      name,
      own.questions,
      own['recall@5'].toFixed(3),
      own['recall@10'].toFixed(3),
    ]),
  ]);
  printTable([
    ['turns in a segment', 'once', 'never', 'more than once', 'segments'],
    ['', coverage.once, coverage.never, coverage.moreThanOnce, coverage.segments],
  ]);
  if (spliced) {
    printTable([
      ['joined sessions', 'F1', 'precision', 'recall', 'Pk', 'WindowDiff'],
      [
        `${spliced.conversations}`,
        ...[spliced.f1, spliced.precision, spliced.recall, spliced.pk, spliced.windowDiff].map(
          (figure) => figure.toFixed(3),
        ),
      ],
    ]);
  }
  printTable([
    ['speed', ''],
    ...Object.entries(speed).map(([name, figure]) => [name, figure.toFixed(1)]),
    ['load average', loadAverage()],
  ]);
  printResult({
    ...scores,
    byCategory,
    ...speed,
    questions: answers.length,
    segments: coverage,
    ...(spliced ? { splice: spliced } : {}),
    loadAverage: loadAverage(),
    ...setting,
  });
}

/** Imports every conversation for a user of its own, background work included. */
async function ingestAll(server: ServerProcess, conversations: readonly LocomoConversation[]) {
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
  using stored = showProgress('turns remembered', turns);
  const { ms } = await timed(async () => {
    for (const { id, self, turns: own } of conversations) {
      await captureEverything(server, id);
      await importTurns(server, id, self, own.map(pastTurn), stored.add);
    }
    using settled = showProgress('memories indexed', conversations.length);
    await untilSettled(
      server,
      conversations.map(({ id }) => id),
      () => settled.add(1),
    );
  });
  return { turns, ingestTurnsPerSecond: turns / (ms / 1000) };
}

const pastTurn = ({ speaker, text, occurredAt }: LocomoTurn) => ({ speaker, text, occurredAt });

/** Puts every question as a client does: its text alone. */
async function askAll(server: ServerProcess, conversations: readonly LocomoConversation[]) {
  const answers: Answered[] = [];
  const recallMs: number[] = [];
  using asked = showProgress('questions', countQuestions(conversations));
  for (const { id: userId, turns, questions } of conversations) {
    const ids = new Map(turns.map((turn) => [contentOf(turn), turn.id]));
    const asOf = dayAfter(turns);
    for (const { text, category, evidence } of questions) {
      const { ms, result } = await timed(() =>
        recall(server, { userId, query: text, first: HITS, asOf }),
      );
      recallMs.push(ms);
      const found = result.turns.map((turn) => ids.get(contentOf(turn)) ?? 'unknown');
      answers.push({ category, evidence, found });
      asked.add(1);
    }
  }
  return { answers, recallMs };
}

/** The same questions with the vector given: milliseconds without the server's embedder. */
async function askWithVectors(
  server: ServerProcess,
  conversations: readonly LocomoConversation[],
  embedder: Embedder & EmbedderIdentity,
): Promise<number[]> {
  const searchMs: number[] = [];
  using asked = showProgress('questions with vectors', countQuestions(conversations));
  for (const { id: userId, turns, questions } of conversations) {
    const asOf = dayAfter(turns);
    const vectors = await embedder.embed(
      questions.map(({ text }) => text),
      { priority: 'batch' },
    );
    for (const [index, { text: query }] of questions.entries()) {
      const vector = { embedder: embedder.name, values: Array.from(vectors[index] ?? []) };
      const input = { userId, query, first: HITS, asOf, vector };
      searchMs.push((await timed(() => recall(server, input))).ms);
      asked.add(1);
    }
  }
  return searchMs;
}

const countQuestions = (conversations: readonly LocomoConversation[]) =>
  conversations.reduce((sum, { questions }) => sum + questions.length, 0);

const dayAfter = (turns: readonly LocomoTurn[]): string =>
  new Date(Math.max(...turns.map((turn) => Date.parse(turn.occurredAt))) + DAY).toISOString();

/** Tells the turns of a conversation apart; the API's ids are its own. */
const contentOf = ({ speaker, occurredAt, text }: RecalledTurn): string =>
  JSON.stringify([speaker, Date.parse(occurredAt), text.trim()]);

await runCommand(() =>
  new Command('npm run eval:locomo --')
    .description('Finds the evidence of the questions of LoCoMo (see evaluation.md).')
    .argument('<file>', 'conversations and questions in the shape of locomo10.json')
    .option('--database-url <url>', 'PostgreSQL server to make a database on; else embedded')
    .option('--limit <count>', 'only so many conversations', countOption)
    .option('--splice', 'also joins sessions into one thread each, and scores the borders found')
    .action(evaluate)
    .parseAsync(),
);
