import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { runCommand } from '../../src/cli/support/run-command.ts';
import {
  type Example,
  fitLogistic,
  type Logistic,
  logitOf,
  sigmoid,
} from '../../src/domain/core/logistic.ts';
import { LEAST_NOTABLE } from '../../src/reasoner/extractive/facts/notes/notes.ts';
import { readChat } from '../eval/chats/chat-file.ts';
import { parseFacts } from '../eval/fact-scores.ts';
import { printResult, printTable } from '../support/report.ts';
import { type NoteRow, rowsOfChat, rowsOfConversation } from './notes/note-rows.ts';
import { writeNoteWeights } from './notes/write-note-weights.ts';

const OUT = fileURLToPath(
  new URL('../../src/reasoner/extractive/facts/notes/note-weights.ts', import.meta.url),
);
/** The L2 penalty, against overfitting to these people. */
const PENALTY = 0.06;
const FOLDS = 10;

async function fitTo(files: string[], { statements }: { statements?: string }): Promise<void> {
  const people = await Promise.all(files.map(readChat));
  const conversations = statements ? parseFacts(await readFile(statements, 'utf8')) : [];
  const rows = [
    ...people.flatMap((chat, at) => rowsOfChat(chat, at % FOLDS)),
    ...conversations.flatMap((one, at) => rowsOfConversation(one, at % FOLDS)),
  ];
  const judged = rows.map((row) => ({ row, probability: 0 }));
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = fitted(rows.filter((row) => row.fold !== fold));
    for (const one of judged)
      if (one.row.fold === fold) one.probability = sigmoid(logitOf(model, one.row.features));
  }
  const labels = people.reduce(
    (sum, { facts }) => sum + facts.filter(({ until }) => until === null).length,
    0,
  );
  const figures = scoresOf(judged, labels);
  const model = fitted(rows);
  const names = [...files, ...(statements ? [statements] : [])].map((file) => basename(file));
  await writeFile(OUT, writeNoteWeights(model, names, figures));
  printTable([
    ['cross-validated by person', ''],
    ...Object.entries(figures).map(([name, value]) => [name, String(value)]),
  ]);
  printResult({ ...figures, sentences: rows.length, fittedOn: names });
}

function fitted(rows: readonly NoteRow[]): Logistic {
  const examples = rows.map(
    ({ features, labels }): Example => ({
      features,
      outcome: labels.length > 0 ? 1 : 0,
      weight: 1,
    }),
  );
  return fitLogistic(examples, PENALTY);
}

/** Returns how well the notes of the chats agree with the labels, and how many notes are taken from conversations without any. */
function scoresOf(
  judged: readonly { row: NoteRow; probability: number }[],
  labelled: number,
): Record<string, number> {
  const taken = judged.flatMap(({ row, probability }) =>
    probability >= LEAST_NOTABLE ? [row] : [],
  );
  const notes = taken.filter(({ person }) => person !== null);
  const right = notes.filter(({ labels }) => labels.length > 0);
  const found = new Set(
    right.flatMap(({ person, labels }) => labels.map((at) => `${person} ${at}`)),
  );
  const round = (value: number) => Number(value.toFixed(3));
  return {
    notes: notes.length,
    precision: round(right.length / Math.max(1, notes.length)),
    recall: round(found.size / Math.max(1, labelled)),
    wrong: notes.filter(({ isWrong }) => isWrong).length,
    besideStatements: taken.length - notes.length,
  };
}

await runCommand(() =>
  new Command('npm run fit:notes --')
    .description('Fits which sentences are kept as notes, and writes note-weights.ts.')
    .argument('<files...>', 'labelled chats, one file per person')
    .option(
      '--statements <file>',
      'JSON lines of conversations whose facts the patterns find, so that they have no notes',
    )
    .action(fitTo)
    .parseAsync(),
);
