import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { runCommand } from '../../src/cli/support/run-command.ts';
import {
  type Example,
  fitLogistic,
  type Logistic,
  logitOf,
  sigmoid,
} from '../../src/domain/core/logistic.ts';
import {
  entityOverlap,
  keywordOverlap,
  talkOf,
  termWeigher,
  topicNearness,
} from '../../src/domain/links/linking-parts.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { BUILT_IN_PROFILE } from '../../src/embedder/core/profile.ts';
import {
  RELATEDNESS_FEATURES,
  type RelatednessFeature,
  type RelatednessFeatures,
  relatednessFeatures,
} from '../../src/reasoner/extractive/relatedness/relatedness-features.ts';
import { plainText } from '../../src/reasoner/extractive/text/clean-text.ts';
import {
  type SemanticSimilarity,
  semanticSimilarityBy,
} from '../../src/reasoner/extractive/text/semantic-similarity.ts';
import { readChat } from '../eval/chats/chat-file.ts';
import { areaUnderCurve } from '../eval/link-scores.ts';
import { chatPairs, type LinkingPair, linkingPairs } from '../eval/linking-pairs.ts';
import { printResult, printTable } from '../support/report.ts';

/** As many as people in the labelled chats, so that each person is judged by a fit on the others. */
const FOLDS = 10;
const NOVELTY = BUILT_IN_PROFILE.thresholds.novelty;
/** The weight of negatives: a wrong link costs more than a missing one. */
const NEGATIVES_COUNT = 1.15;
const VECTORS: readonly RelatednessFeature[] = ['centroid', 'chamfer', 'opening'];
const FITTED = RELATEDNESS_FEATURES.filter((name) => name !== 'continuation');

const dialogueSchema = z.object({
  id: z.string(),
  utterances: z.array(z.string()),
  boundaries: z.array(z.int()),
});

type Row = {
  set: string;
  pair: LinkingPair;
  features: RelatednessFeatures;
  /** The measures of the algorithmic score before they are calibrated. */
  measures: Record<'keyword' | 'entity' | 'topic', number | null>;
};

/** Reads the pairs of a file. All labelled chats (JSON) are one set; each file of dialogues (JSON lines) is a set of its own. */
async function pairsOf(file: string): Promise<{ set: string; pairs: LinkingPair[] }> {
  if (file.endsWith('.json')) return { set: 'chats', pairs: chatPairs(await readChat(file)) };
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const dialogues = lines.map((line) => dialogueSchema.parse(JSON.parse(line)));
  return { set: basename(file), pairs: linkingPairs(dialogues) };
}

async function rowsOf(file: string, similarity: SemanticSimilarity): Promise<Row[]> {
  const { set, pairs } = await pairsOf(file);
  const rows: Row[] = [];
  for (const pair of pairs) {
    const [thread, message] = [pair.thread, pair.message].map(({ texts }) =>
      texts.map((text) => plainText(text) || text),
    ) as [string[], string[]];
    const vectors = await similarity.vectorsOf([...thread, ...message]);
    const features = relatednessFeatures(
      { texts: thread, vectors: vectors.slice(0, thread.length) },
      { texts: message, vectors: vectors.slice(thread.length) },
      similarity,
    );
    const [a, b] = [
      talkOf(pair.thread.texts, vectors.slice(0, thread.length)),
      talkOf(pair.message.texts, vectors.slice(thread.length)),
    ];
    const measures = {
      keyword: keywordOverlap(a, b, termWeigher(0, new Map())),
      entity: entityOverlap(a, b),
      topic: topicNearness(a, b, NOVELTY),
    };
    rows.push({ set, pair, features, measures });
  }
  return rows;
}

function examplesOf(rows: readonly Row[], names: readonly RelatednessFeature[]): Example[] {
  return rows.map(({ set, pair, features }) => {
    const share = 1 / rows.filter((other) => other.set === set).length;
    const outcome = pair.kind === 'positive' ? 1 : 0;
    return {
      features: names.map((name) => features[name] ?? 0),
      outcome,
      weight: share * (outcome === 1 ? 1 : NEGATIVES_COUNT),
    };
  });
}

/** Fits the calibrations of linking-parts.ts: a logistic regression of one variable for each measure. */
function calibrate(rows: readonly Row[]): Record<string, Logistic> {
  const fits = (['keyword', 'entity', 'topic'] as const).map((name) => {
    const measured = rows.filter(({ measures }) => measures[name] !== null);
    const examples = measured.map(({ set, pair, measures }): Example => {
      // Divided by all rows of the set: a set in which few rows have this measure must not get the same weight as others.
      const weight = 1 / rows.filter((other) => other.set === set).length;
      const outcome = pair.kind === 'positive' ? 1 : 0;
      return { features: [measures[name] ?? 0], outcome, weight };
    });
    return [name, fitLogistic(examples, 1e-4)] as const;
  });
  printTable([
    ['part', 'intercept', 'weight'],
    ...fits.map(([name, { intercept, weights }]) => [
      name,
      intercept.toFixed(3),
      (weights[0] ?? 0).toFixed(3),
    ]),
  ]);
  return Object.fromEntries(fits);
}

/** Scores every row by a fit on the other folds. All pairs of a dialogue are in the same fold. */
function crossValidated(rows: readonly Row[], examples: readonly Example[]): number[] {
  const dialogues = [...new Set(rows.map(({ pair }) => pair.dialogue))];
  const foldOf = (row: Row | undefined) => dialogues.indexOf(row?.pair.dialogue ?? '') % FOLDS;
  const folds = rows.map(foldOf);
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitLogistic(examples.filter((_example, i) => folds[i] !== fold)),
  );
  return examples.map(({ features }, i) =>
    sigmoid(logitOf(models[folds[i] ?? 0] as Logistic, features)),
  );
}

function scoresOf(rows: readonly Row[], scores: readonly number[], of: (row: Row) => boolean) {
  const scored = rows.flatMap((row, i) =>
    of(row) ? [{ score: scores[i] ?? 0, outcome: row.pair.kind === 'positive' ? 1 : 0 }] : [],
  );
  const linked = scored.filter(({ score }) => score > 0.5);
  const right = linked.filter(({ outcome }) => outcome === 1).length;
  return {
    auc: areaUnderCurve(scored.map(({ score, outcome }) => ({ score, belongs: outcome === 1 }))),
    precision: right / linked.length,
    recall: right / scored.filter(({ outcome }) => outcome === 1).length,
  };
}

async function fitTo(files: string[]): Promise<void> {
  await using embedder = createBuiltInEmbedder();
  const rows: Row[] = [];
  for (const file of files) {
    rows.push(...(await rowsOf(file, semanticSimilarityBy(embedder, { userId: 'local' }))));
  }
  const result: Record<string, unknown> = { embedder: embedder.name, pairs: rows.length };
  for (const [name, features] of [
    ['withVectors', FITTED],
    ['wordsOnly', FITTED.filter((feature) => !VECTORS.includes(feature))],
  ] as const) {
    const examples = examplesOf(rows, features);
    const scores = crossValidated(rows, examples);
    const sets = [...new Set(rows.map(({ set }) => set))];
    const figures = [
      ...sets.map((set) => [set, scoresOf(rows, scores, (row) => row.set === set)] as const),
      ['pooled', scoresOf(rows, scores, () => true)] as const,
    ];
    printTable([
      [`${name}, ${FOLDS}-fold`, 'AUC', 'precision', 'recall'],
      ...figures.map(([set, { auc: area, precision, recall }]) => [
        set,
        area.toFixed(3),
        precision.toFixed(3),
        recall.toFixed(3),
      ]),
    ]);
    const model = fitLogistic(examples);
    const weights = Object.fromEntries(
      features.map((feature, i) => [feature, Number((model.weights[i] ?? 0).toFixed(4))]),
    );
    console.log(
      JSON.stringify({ intercept: Number(model.intercept.toFixed(4)), ...weights }, null, 2),
    );
    result[name] = Object.fromEntries(figures);
  }
  result.parts = calibrate(rows);
  printResult(result);
}

const command = new Command()
  .name('fit:relatedness')
  .description(
    'Fits the built-in judgement of relatedness to pairs cut from segmentation files and to labelled chats; prints coefficients and cross-validated figures.',
  )
  .argument('<files...>', 'JSON lines {"id","utterances","boundaries"}; JSON files, one per person')
  .action((files: string[]) => fitTo(files));

await runCommand(() => command.parseAsync());
