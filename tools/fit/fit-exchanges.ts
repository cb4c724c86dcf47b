import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { runCommand } from '../../src/cli/support/run-command.ts';
import {
  type Example,
  fitLogistic,
  type Logistic,
  logitOf,
} from '../../src/domain/core/logistic.ts';
import { cutAt, talkLogits } from '../../src/domain/segments/boundary-model.ts';
import { exchangeFeatures } from '../../src/domain/segments/exchange-boundaries.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { type Chat, readChat } from '../eval/chats/chat-file.ts';
import { expectedThreads } from '../eval/chats/expected-threads.ts';
import { scoreSegmentation } from '../eval/segmentation/segmentation-scores.ts';
import { printResult, printTable } from '../support/report.ts';

const OUT = fileURLToPath(
  new URL('../../src/domain/segments/exchange-weights.ts', import.meta.url),
);
const PENALTY = 4e-3;
/** The cost of a topic of a single turn, as in the model for any conversation. */
const SINGLE = 1;
const THRESHOLDS = Array.from({ length: 41 }, (_, step) => (step - 30) / 20);

type Thread = { person: string; boundaries: number[]; rows: number[][] };
type Judged = { thread: Thread; logits: number[] };

async function threadsOf(chats: Chat[], embedder: Embedder | null): Promise<Thread[]> {
  const threads: Thread[] = [];
  for (const chat of chats) {
    for (const { turns, boundaries } of expectedThreads(chat)) {
      if (turns.length < 2) continue;
      const texts = turns.map(({ text }) => text);
      const vectors = embedder ? await embedder.embed(texts, { priority: 'batch' }) : null;
      const { features, logits } = talkLogits(texts, vectors);
      const rows = exchangeFeatures(turns, features, logits);
      threads.push({ person: chat.id, boundaries, rows });
    }
  }
  return threads;
}

const fitOn = (threads: readonly Thread[]): Logistic =>
  fitLogistic(
    threads.flatMap(({ rows, boundaries }) =>
      rows.map(
        (features, gap): Example => ({
          features,
          outcome: boundaries.includes(gap + 1) ? 1 : 0,
          weight: 1,
        }),
      ),
    ),
    PENALTY,
  );

/** Judges every person by a fit on the others. */
function judgePeople(threads: readonly Thread[]): Judged[] {
  const people = [...new Set(threads.map(({ person }) => person))];
  return people.flatMap((person) => {
    const model = fitOn(threads.filter((thread) => thread.person !== person));
    return threads
      .filter((thread) => thread.person === person)
      .map((thread) => ({ thread, logits: thread.rows.map((row) => logitOf(model, row)) }));
  });
}

const scoreAt = (judged: readonly Judged[], threshold: number) =>
  scoreSegmentation(
    judged.map(({ thread: { rows, boundaries }, logits }) => ({
      turns: rows.length + 1,
      boundaries,
      found: cutAt(logits, { threshold, single: SINGLE }).map(({ index }) => index),
    })),
  );

const round = (value: number) => Number(value.toPrecision(4));

async function fitTo(files: string[]): Promise<void> {
  const chats = await Promise.all(files.map((file) => readChat(file)));
  await using embedder = createBuiltInEmbedder();
  const fitted = [];
  for (const [name, used] of [
    ['withVectors', embedder],
    ['wordsOnly', null],
  ] as const) {
    const threads = await threadsOf(chats, used);
    const judged = judgePeople(threads);
    const scores = THRESHOLDS.map((threshold) => scoreAt(judged, threshold));
    const best = Math.max(...scores.map(({ f1 }) => f1));
    const threshold = THRESHOLDS[scores.findIndex(({ f1 }) => f1 === best)] ?? 0;
    const { intercept, weights } = fitOn(threads);
    fitted.push({ name, threshold, model: { intercept, weights }, ...scoreAt(judged, threshold) });
  }
  await writeFile(OUT, text(fitted, chats.length));
  printTable([
    ['left out each person', 'F1', 'precision', 'recall', 'threshold'],
    ...fitted.map(({ name, f1, precision, recall, threshold }) => [
      name,
      ...[f1, precision, recall, threshold].map((figure) => figure.toFixed(3)),
    ]),
  ]);
  printResult(Object.fromEntries(fitted.map(({ name, model: _, ...scores }) => [name, scores])));
}

type Fitted = { name: string; threshold: number; model: Logistic; f1: number };

const text = (
  fitted: readonly Fitted[],
  people: number,
) => `// Written by npm run fit:exchanges; do not edit by hand.

/**
 * Logistic regressions over the features of exchange-boundaries.ts, and the log odds from which on a gap is cut.
 * Fitted on ${people} people; F1 with each person left out: ${fitted.map(({ name, f1 }) => `${name} ${f1.toFixed(3)}`).join(', ')}.
 */
export const EXCHANGE_WEIGHTS = {
${fitted
  .map(
    ({ name, threshold, model }) => `  ${name}: {
    threshold: ${threshold},
    model: {
      intercept: ${round(model.intercept)},
      weights: [${model.weights.map(round).join(', ')}],
    },
  },`,
  )
  .join('\n')}
} as const;
`;

await runCommand(() =>
  new Command('npm run fit:exchanges --')
    .description('Fits where topics begin in conversations with an assistant that answers at once.')
    .argument('<files...>', 'labelled chats, one JSON file per person')
    .action(fitTo)
    .parseAsync(),
);
