import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  captureEverything,
  importTurns,
  untilSettled,
} from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { loadAverage, quantile, timed } from '../support/measure.ts';
import { patient, UNHURRIED } from '../support/patiently.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { type LocomoConversation, type LocomoTurn, parseLocomo } from './locomo.ts';
import { scoreContexts } from './locomo-context.ts';
import { scoreKinds } from './locomo-kinds.ts';
import { askAll, askKinds, askParts, askWithVectors, HITS } from './locomo-questions.ts';
import { sweep, sweepTable } from './locomo-sweep.ts';
import { type EvaluatedServer, OF_ITS_OWN } from './opened.ts';
import { scoreAnswers, scoreByCategory } from './recall-scores.ts';
import { coverageOf, evaluateSplices } from './segmentation/through-server.ts';

type Options = {
  databaseUrl?: string;
  limit?: number;
  splice?: boolean;
  sweep?: boolean;
  context?: boolean;
};

/** Lets a server recall the evidence of the questions of LoCoMo, and prints how well it found it, and how fast. */
export async function evaluateLocomo(
  file: string,
  { databaseUrl, limit, splice, sweep: isSwept, context }: Options,
  { startServer, openEmbedder } = OF_ITS_OWN,
): Promise<void> {
  const conversations = parseLocomo(await readFile(file, 'utf8')).slice(0, limit);
  await using server = patient(await startServer({ databaseUrl, env: UNHURRIED }));
  const ingest = await ingestAll(server, conversations);
  const coverage = await coverageOf(
    server,
    conversations.map(({ id }) => id),
  );
  const spliced = splice ? await evaluateSplices(server, conversations) : null;
  const { answers, recallMs } = await askAll(server, conversations);
  const kinds = scoreKinds(await askKinds(server, conversations, answers));
  const swept = isSwept ? sweep(await askParts(server, conversations)) : null;
  const contexts = context ? await scoreContexts(server, conversations) : null;
  await using embedder = openEmbedder();
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
    ['all kinds, in as much text', 'share'],
    ['recall@5', kinds['recall@5'].toFixed(3)],
    ['recall@10', kinds['recall@10'].toFixed(3)],
    ...Object.entries(kinds.hitsByKind).map(([kind, hits]) => [
      `${kind} hits of ${HITS}`,
      hits.toFixed(1),
    ]),
  ]);
  if (contexts) {
    printTable([
      ['evidence in the prompt context, by its tokens', 'share'],
      ...Object.entries(contexts).map(([name, share]) => [name, share.toFixed(3)]),
    ]);
  }
  if (swept) printTable(sweepTable(swept));
  printTable([
    ['category', 'questions', 'recall@5', 'recall@10'],
    ...Object.entries(byCategory).map(([name, figures]) => [
      name,
      figures.questions,
      figures['recall@5'].toFixed(3),
      figures['recall@10'].toFixed(3),
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
    allKinds: kinds,
    ...(contexts ? { context: contexts } : {}),
    ...(swept ? { sweep: swept } : {}),
    ...speed,
    questions: answers.length,
    segments: coverage,
    ...(spliced ? { splice: spliced } : {}),
    loadAverage: loadAverage(),
    ...setting,
  });
}

/** Stores every conversation, and waits until all background work is done. */
async function ingestAll(server: EvaluatedServer, conversations: readonly LocomoConversation[]) {
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
  const { ms } = await timed(async () => {
    await importAll(server, conversations);
    using settled = showProgress('memories indexed', conversations.length);
    await untilSettled(
      server,
      conversations.map(({ id }) => id),
      () => settled.add(1),
    );
  });
  return { turns, ingestTurnsPerSecond: turns / (ms / 1000) };
}

/** Imports every conversation for a user of its own, every segment of which becomes an episode. */
async function importAll(
  server: EvaluatedServer,
  conversations: readonly LocomoConversation[],
): Promise<void> {
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
  using stored = showProgress('turns remembered', turns);
  for (const { id, self, turns: imported } of conversations) {
    await captureEverything(server, id);
    await importTurns(server.memory.as(id), self, imported.map(pastTurn), stored.add);
  }
}

const pastTurn = ({ speaker, text, occurredAt }: LocomoTurn) => ({ speaker, text, occurredAt });
