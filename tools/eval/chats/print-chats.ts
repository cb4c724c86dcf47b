import { printTable } from '../../support/report.ts';
import { type ChatScore, figuresByKind, figuresOf } from './chat-figures.ts';

const digits = (figure: number): string => figure.toFixed(3);

/** Prints the figures of all people, of each file, and of each kind of question. */
export function printFigures(scores: readonly ChatScore[], maxTokens: number): void {
  const all = figuresOf(scores);
  printTable([
    ['answerable', 'share', 'by keywords alone'],
    [`in ${maxTokens} tokens of context`, digits(all.answerableContext), digits(all.plainContext)],
    ['by the first 5 hits', digits(all.answerableFirst5), digits(all.plainFirst5)],
  ]);
  printTable([
    ['', 'F1', 'precision', 'recall'],
    ['facts', '', digits(all.factPrecision), digits(all.factRecall)],
    ['cuts', digits(all.cutsF1), digits(all.cutsPrecision), digits(all.cutsRecall)],
    ['links', digits(all.linkF1), digits(all.linkPrecision), digits(all.linkRecall)],
  ]);
  printByFile(scores);
  printTable([
    ['kind of question', 'questions', 'in context', 'first 5', 'keywords', 'keywords, first 5'],
    ...Object.entries(figuresByKind(scores.flatMap(({ asked }) => asked))).map(
      ([kind, figures]) => [
        kind,
        figures.questions,
        digits(figures.answerableContext),
        digits(figures.answerableFirst5),
        digits(figures.plainContext),
        digits(figures.plainFirst5),
      ],
    ),
  ]);
}

function printByFile(scores: readonly ChatScore[]): void {
  const rows = [
    ...scores.map((score) => [score.chat.file, figuresOf([score])] as const),
    ['all', figuresOf(scores)] as const,
  ];
  printTable([
    [
      'file',
      ...['in context', 'first 5', 'facts', 'fact prec.', 'fact recall', 'wrong', 'cuts F1'],
      ...['keep', 'gist', 'episodes', 'extra', 'links F1', 'link prec.', 'unlabelled'],
    ],
    ...rows.map(([file, figures]) => [
      file,
      digits(figures.answerableContext),
      digits(figures.answerableFirst5),
      figures.facts,
      digits(figures.factPrecision),
      digits(figures.factRecall),
      figures.factsWrong,
      digits(figures.cutsF1),
      digits(figures.keep),
      digits(figures.gist),
      figures.episodes,
      digits(figures.extra),
      digits(figures.linkF1),
      digits(figures.linkPrecision),
      figures.linksUnlabelled,
    ]),
  ]);
}
