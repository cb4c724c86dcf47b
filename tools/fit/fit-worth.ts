import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { runCommand } from '../../src/cli/support/run-command.ts';
import {
  type Example,
  fitLogistic,
  type Logistic,
  logitOf,
} from '../../src/domain/core/logistic.ts';
import { CAPTURE_KNOBS } from '../../src/domain/episodes/capture.ts';
import { worthFeatures } from '../../src/domain/episodes/worth.ts';
import { findTopicStarts } from '../../src/domain/segments/boundary-model.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { effectOf } from '../../src/language/en/tool-effect.ts';
import { outcomesOf } from '../../src/reasoner/extractive/quotes/outcomes.ts';
import { participantsOf } from '../../src/reasoner/extractive/quotes/participants.ts';
import { sentencesOf } from '../../src/reasoner/extractive/text/sentences.ts';
import type { ToolCall } from '../../src/shared/role.ts';
import { parseCaptures } from '../eval/capture-scores.ts';
import { type Chat, readChat } from '../eval/chats/chat-file.ts';
import {
  type ExpectedThread,
  expectedThreads,
  partsBySilence,
} from '../eval/chats/expected-threads.ts';
import { areaUnderCurve } from '../eval/link-scores.ts';
import { printResult, printTable } from '../support/report.ts';

const OUT = fileURLToPath(new URL('../../src/domain/episodes/worth-weights.ts', import.meta.url));
const PENALTY = 0.03;
const FOLDS = 5;
/** The weight of a segment of a chat. Each chat is divided twice: as labelled and as found. */
const HALF = 0.5;
/** The share of the labelled episodes that must be kept. */
const KEPT = 0.94;

type Turn = ExpectedThread['turns'][number] & {
  toolCalls?: readonly ToolCall[] | null | undefined;
};
/** A segment to fit on. `keep` has the indexes of the labelled episodes that it overlaps. All rows of a `fold` are judged by a fit on the others. */
type Row = Example & { fold: string; kind: 'labelled' | 'found' | 'capture'; keep: number[] };

function exampleOf(turns: readonly Turn[], saidBefore: Date | null) {
  const spoken = turns.map((turn) => ({ ...turn, speaker: null, toolCalls: [] }));
  const people = participantsOf(spoken);
  const outcomes = outcomesOf(spoken, sentencesOf(spoken), people);
  const calls = turns.flatMap(({ toolCalls }) => toolCalls ?? []);
  return worthFeatures({
    turns,
    startedAt: (turns[0] as Turn).occurredAt,
    endedAt: (turns.at(-1) as Turn).occurredAt,
    saidBefore,
    decisions: outcomes.filter(({ kind }) => kind === 'DECISION').length,
    changed: calls.filter((call) => effectOf(call) === 'CHANGED').length,
  });
}

const splitAt = <Item>(items: readonly Item[], starts: readonly number[]): Item[][] =>
  [0, ...starts].map((start, at) => items.slice(start, starts[at]));

async function startsIn(turns: readonly Turn[], embedder: Embedder): Promise<number[]> {
  if (turns.length < 3) return [];
  const texts = turns.map(({ text }) => text);
  const vectors = await embedder.embed(texts, { priority: 'batch' });
  return findTopicStarts(turns, vectors).map(({ index }) => index);
}

/** Returns all segments of a person's conversations, both as labelled and as found. */
async function rowsOfChat(chat: Chat, embedder: Embedder): Promise<Row[]> {
  const threads = expectedThreads(chat);
  const rows: Row[] = [];
  for (const { turns, boundaries } of threads) {
    const kinds = { labelled: boundaries, found: await startsIn(turns, embedder) };
    for (const kind of ['labelled', 'found'] as const) {
      for (const part of splitAt(turns, kinds[kind])) {
        const before = turns[turns.indexOf(part[0] as Turn) - 1]?.occurredAt ?? null;
        const features = exampleOf(part, before);
        const keep = chat.keep.flatMap(({ turns: [first, last] }, at) =>
          part.some(({ n }) => n >= first && n <= last) ? [at] : [],
        );
        const outcome = keep.length > 0 ? 1 : 0;
        if (features) rows.push({ features, outcome, weight: HALF, fold: chat.id, kind, keep });
      }
    }
  }
  return rows;
}

/** Returns the last segment of every labelled conversation. Omits those that were skipped although a tool changed something: other rules decided them. */
async function rowsOfCaptures(file: string, embedder: Embedder): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [at, { turns, decision }] of parseCaptures(await readFile(file, 'utf8')).entries()) {
    const datedTurns = turns.map((turn, n): Turn => {
      return {
        ...turn,
        n,
        occurredAt: new Date(turn.occurredAt),
        toolCalls: turn.toolCalls as ToolCall[],
      };
    });
    const thread = partsBySilence(datedTurns).at(-1) ?? [];
    const starts = await startsIn(thread, embedder);
    const segment = splitAt(thread, starts).at(-1) ?? [];
    const before = thread[thread.length - segment.length - 1]?.occurredAt ?? null;
    const features = exampleOf(segment, before);
    const changed = features?.[2] ?? 0;
    const outcome = decision === 'SKIP' ? 0 : 1;
    if (!features || (outcome === 0 && changed > 0)) continue;
    const fold = `capture ${at % FOLDS}`;
    rows.push({ features, outcome, weight: 1, fold, kind: 'capture', keep: [] });
  }
  return rows;
}

/** Judges every fold by a fit on the others. */
function judge(rows: readonly Row[]): (Row & { logit: number })[] {
  return [...new Set(rows.map(({ fold }) => fold))].flatMap((fold) => {
    const others = fitLogistic(
      rows.filter((row) => row.fold !== fold),
      PENALTY,
    );
    const heldOut = rows.filter((row) => row.fold === fold);
    return heldOut.map((row) => ({ ...row, logit: logitOf(others, row.features) }));
  });
}

/** Returns, for a threshold, the share of labelled episodes that are kept, and the share of taken segments that no label covers. */
function scoreAt(found: readonly (Row & { logit: number })[], threshold: number) {
  const countLabels = (rows: readonly Row[]) =>
    new Set(rows.flatMap(({ fold, keep }) => keep.map((at) => `${fold} ${at}`))).size;
  const taken = found.filter(({ logit }) => logit > threshold);
  const extra = taken.filter(({ outcome }) => outcome === 0).length;
  return {
    keep: countLabels(taken) / countLabels(found),
    extra: extra / Math.max(1, taken.length),
  };
}

async function fitTo(files: string[], { capture }: { capture: string[] }): Promise<void> {
  const chats = await Promise.all(files.map((file) => readChat(file)));
  await using embedder = createBuiltInEmbedder();
  const rows: Row[] = [];
  for (const chat of chats) rows.push(...(await rowsOfChat(chat, embedder)));
  for (const file of capture) rows.push(...(await rowsOfCaptures(file, embedder)));
  const judged = judge(rows);
  const found = judged.filter(({ kind }) => kind === 'found');
  const steps = Array.from({ length: 401 }, (_, step) => (200 - step) / 100);
  const threshold = steps.find((step) => scoreAt(found, step).keep >= KEPT) ?? 0;
  const scores = { ...scoreAt(found, threshold), auc: areaUnderCurve(found.map(asScored)) };
  await writeFile(OUT, text(shifted(fitLogistic(rows, PENALTY), threshold), chats.length, scores));
  const figures = Object.entries(scores).map(([name, figure]) => [name, figure.toFixed(3)]);
  printTable([['left out each person', 'segments as they are found'], ...figures]);
  printResult({ ...scores, threshold, rows: rows.length });
}

const asScored = ({ outcome, logit }: { outcome: 0 | 1; logit: number }) => ({
  belongs: outcome === 1,
  score: logit,
});

/** Returns the model with its intercept shifted so that `threshold` falls on the threshold of capture. */
function shifted({ intercept, weights }: Logistic, threshold: number): Logistic {
  const least = CAPTURE_KNOBS.notabilityMin;
  return { intercept: intercept - threshold + Math.log(least / (1 - least)), weights };
}

const round = (value: number) => Number(value.toPrecision(3));

const text = (
  { intercept, weights }: Logistic,
  people: number,
  scores: { keep: number; extra: number },
) =>
  `// Written by npm run fit:worth; do not edit by hand.

/**
 * A logistic regression over the features of worth.ts; at the threshold \`notabilityMin\` of capture. Fitted on ${people} people and
 * labelled captures; with each person left out, ${scores.keep.toFixed(3)} of what is worth an episode is taken,
 * and ${scores.extra.toFixed(3)} of what is taken is not.
 */
export const WORTH_WEIGHTS = {
  intercept: ${round(intercept)},
  weights: [${weights.map(round).join(', ')}],
} as const;
`;

await runCommand(() =>
  new Command('npm run fit:worth --')
    .description(
      'Fits which segments deserve an episode, and writes src/domain/episodes/worth-weights.ts.',
    )
    .argument('<files...>', 'labelled chats, one JSON file per person')
    .option('--capture <files...>', 'labelled captures, JSON lines', [])
    .action(fitTo)
    .parseAsync(),
);
