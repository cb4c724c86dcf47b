import { Command } from 'commander';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { BOUNDARY_WEIGHTS, FITTED_ON } from '../../src/domain/segments/boundary-weights.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { type Baseline, baselinesOf } from './segmentation/baselines.ts';
import { judgeFolds, scoreJudged } from './segmentation/cross-validate.ts';
import {
  type Dialogue,
  type DialogueSet,
  type Embedded,
  embedDialogues,
  readDialogues,
  readSplices,
} from './segmentation/dialogues.ts';
import { exampleOf } from './segmentation/fit-boundaries.ts';
import { segmentAsServed } from './segmentation/segment-as-served.ts';
import {
  type SegmentationScores,
  type Segmented,
  scoreSegmentation,
} from './segmentation/segmentation-scores.ts';

type Measured = { set: DialogueSet; dialogues: Embedded<Dialogue>[] };

const wasFittedOn = ({ sha256 }: DialogueSet): boolean =>
  (FITTED_ON as readonly { sha256: string }[]).some((fitted) => fitted.sha256 === sha256);

async function evaluate(files: string[], { splice }: { splice?: string }): Promise<void> {
  const sets = [
    ...(await Promise.all(files.map(readDialogues))),
    ...(splice === undefined ? [] : [await readSplices(splice)]),
  ];
  await using embedder = createBuiltInEmbedder();
  const measured = await embedDialogues(embedder, sets);
  const fittedSets = measured.filter(({ set }) => wasFittedOn(set));
  const crossValidated = scoreUnseen(fittedSets);
  const result: Record<string, unknown> = {};
  const setting = {
    ...(await describeSetting(sets.map(({ name }) => name).join(', '), embedder.name, undefined)),
    database: 'none',
  };
  printSetting(setting);
  for (const { set, dialogues } of measured) {
    const unseen = crossValidated.get(set.name);
    const scores = unseen ?? (await scoreServed(dialogues));
    const mark = unseen ? ', cross-validated' : '';
    const baselines = scoreBaselines(dialogues);
    report(set, [[`built-in${mark}`, scores], ...baselines]);
    result[set.name] = {
      ...scores,
      crossValidated: unseen !== undefined,
      conversations: set.dialogues.length,
      baselines: Object.fromEntries(baselines),
    };
  }
  printResult({ ...result, ...setting });
}

/** Scores the segmentation as the server does it, with the shipped coefficients. */
async function scoreServed(dialogues: readonly Embedded<Dialogue>[]): Promise<SegmentationScores> {
  using progress = showProgress('conversations segmented', dialogues.length);
  const segmented: Segmented[] = [];
  for (const { utterances, boundaries, vectors } of dialogues) {
    const found = await segmentAsServed(utterances, vectors);
    segmented.push({ turns: utterances.length, boundaries, found });
    progress.add(1);
  }
  return scoreSegmentation(segmented);
}

/** Scores the sets that the coefficients were fitted on by cross-validation: five folds, with the shipped threshold. */
function scoreUnseen(fittedSets: readonly Measured[]): Map<string, SegmentationScores> {
  if (fittedSets.length === 0) return new Map();
  using progress = showProgress('folds fitted', 5);
  const examples = fittedSets.flatMap(({ set, dialogues }) =>
    dialogues.map((dialogue) => exampleOf(set.name, dialogue, true)),
  );
  const judged = judgeFolds(examples, () => progress.add(1));
  return scoreJudged(judged, BOUNDARY_WEIGHTS.withVectors);
}

function scoreBaselines(dialogues: readonly Embedded<Dialogue>[]): [string, SegmentationScores][] {
  const turns = dialogues.reduce((sum, { utterances }) => sum + utterances.length, 0);
  const topics = dialogues.reduce((sum, { boundaries }) => sum + boundaries.length + 1, 0);
  const score = (rule: Baseline) =>
    scoreSegmentation(
      dialogues.map((dialogue) => ({
        turns: dialogue.utterances.length,
        boundaries: dialogue.boundaries,
        found: rule(dialogue),
      })),
    );
  return baselinesOf(Math.max(1, Math.round(turns / topics))).map(([name, rule]) => [
    name,
    score(rule),
  ]);
}

function report(set: DialogueSet, rows: readonly [string, SegmentationScores][]): void {
  const count = `${set.dialogues.length} conversations`;
  printTable([
    [`${set.name}, ${count}`, 'Pk', 'WindowDiff', 'F1', 'precision', 'recall'],
    ...rows.map(([name, { pk, windowDiff, f1, precision, recall }]) => [
      name,
      ...[pk, windowDiff, f1, precision, recall].map((figure) => figure.toFixed(3)),
    ]),
  ]);
}

await runCommand(() =>
  new Command('npm run eval:segmentation --')
    .description('Compares the boundaries of the built-in segmentation with the labelled ones.')
    .argument('<file...>', 'JSON lines of {"id", "utterances": […], "boundaries": […]}')
    .option('--splice <file>', 'also join sessions of conversations in the shape of locomo10.json')
    .option('--database-url <url>', 'accepted like in the other commands; this one stores nothing')
    .action(evaluate)
    .parseAsync(),
);
