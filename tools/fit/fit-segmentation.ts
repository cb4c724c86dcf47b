import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import {
  chooseThreshold,
  judgeFolds,
  judgeSets,
  scoreJudged,
} from '../eval/segmentation/cross-validate.ts';
import {
  countsOf,
  embedDialogues,
  readDialogues,
  readSplices,
} from '../eval/segmentation/dialogues.ts';
import { exampleOf, fitBoundaries } from '../eval/segmentation/fit-boundaries.ts';
import type { SegmentationScores } from '../eval/segmentation/segmentation-scores.ts';
import { writeWeights } from '../eval/segmentation/write-weights.ts';
import { printResult, printTable } from '../support/report.ts';

const OUT = fileURLToPath(
  new URL('../../src/domain/segments/boundary-weights.ts', import.meta.url),
);
/** The two models: with vectors, and with words only. */
const STEPS = ['withVectors', 'wordsOnly'] as const;

async function fitTo(files: string[], { splice }: { splice: string[] }): Promise<void> {
  const sets = [
    ...(await Promise.all(files.map(readDialogues))),
    ...(await Promise.all(splice.map(readSplices))),
  ];
  await using embedder = createBuiltInEmbedder();
  const embedded = await embedDialogues(embedder, sets);
  const result: Record<string, unknown> = {};
  const fitted = STEPS.map((step) => {
    using progress = showProgress(step, 7);
    const done = () => progress.add(1);
    const examples = embedded.flatMap(({ set, dialogues }) =>
      dialogues.map((dialogue) => exampleOf(set.name, dialogue, step === 'withVectors')),
    );
    const folds = judgeFolds(examples, done);
    const unseen = judgeSets(examples);
    done();
    const draft = fitBoundaries(examples, 0);
    const weights = { ...draft, threshold: chooseThreshold(folds, draft.single) };
    done();
    const crossValidated = scoreJudged(folds, weights);
    const leftOut = scoreJudged(unseen, weights);
    report(`${step}, 5-fold by conversation`, crossValidated);
    report(`${step}, fitted on the other sets`, leftOut);
    result[step] = {
      threshold: weights.threshold,
      crossValidated: Object.fromEntries(crossValidated),
      leftOut: Object.fromEntries(leftOut),
    };
    return { step, weights, crossValidated };
  });
  await writeFile(OUT, writeWeights(sets, embedder.name, fitted));
  const data = sets.map(countsOf);
  printTable([
    ['fitted on', 'conversations', 'turns', 'boundaries', 'sha256'],
    ...data.map((set) => [set.name, set.conversations, set.turns, set.boundaries, set.sha256]),
  ]);
  printResult({ ...result, embedder: embedder.name, data });
}

function report(title: string, scores: ReadonlyMap<string, SegmentationScores>): void {
  printTable([
    [title, 'Pk', 'WindowDiff', 'F1', 'precision', 'recall'],
    ...[...scores].map(([set, { pk, windowDiff, f1, precision, recall }]) => [
      set,
      ...[pk, windowDiff, f1, precision, recall].map((figure) => figure.toFixed(3)),
    ]),
  ]);
}

await runCommand(() =>
  new Command('npm run fit:segmentation --')
    .description(
      'Fits the built-in segmentation and writes src/domain/segments/boundary-weights.ts.',
    )
    .argument('<file...>', 'JSON lines of {"id", "utterances": […], "boundaries": […]}')
    .option('--splice <file...>', 'conversations in the shape of locomo10.json, to be spliced', [])
    .action(fitTo)
    .parseAsync(),
);
