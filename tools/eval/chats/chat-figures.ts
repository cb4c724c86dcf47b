import type { Asked } from './ask-questions.ts';
import type { Chat } from './chat-file.ts';
import { QUESTION_KINDS } from './chat-file.ts';
import type { Memory } from './read-memory.ts';
import { type CutScore, scoreCuts } from './score-cuts.ts';
import { type EpisodeScore, scoreEpisodes } from './score-episodes.ts';
import { type FactScore, scoreFacts } from './score-facts.ts';
import { type LinkScore, scoreLinks } from './score-links.ts';

/** The scores of one person's memory. */
export type ChatScore = {
  chat: Chat;
  asked: Asked[];
  facts: FactScore;
  /** How many facts are active. */
  active: number;
  cuts: CutScore;
  episodes: EpisodeScore;
  links: LinkScore;
};

/** Compares what a memory contains and recalls with the labels of a person. */
export const scoreChat = (chat: Chat, memory: Memory, asked: Asked[]): ChatScore => ({
  chat,
  asked,
  facts: scoreFacts(chat, memory.facts),
  active: memory.facts.length,
  cuts: scoreCuts(chat, memory),
  episodes: scoreEpisodes(chat, memory.segments),
  links: scoreLinks(chat, memory),
});

/** Returns part / whole; 0 if the whole is 0. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const f1Of = (hits: number, found: number, wanted: number) => share(2 * hits, found + wanted);

/** Returns the questions that have an answer. */
const answerable = (asked: readonly Asked[]) =>
  asked.filter(({ question }) => question.kind !== 'none');

/** Returns the shares of questions, 0-1, whose whole answer is found. `plain…` is a keyword search over single turns. */
function figuresOfAnswers(asked: readonly Asked[]) {
  const withAnswer = answerable(asked);
  const of = (where: keyof Asked['missing']) =>
    share(
      withAnswer.filter(({ missing }) => missing[where].length === 0).length,
      withAnswer.length,
    );
  return {
    questions: withAnswer.length,
    answerableContext: of('context'),
    answerableFirst5: of('first'),
    plainContext: of('plainContext'),
    plainFirst5: of('plainFirst'),
  };
}

/** Returns the same figures by kind of question. Omits kinds without questions. */
export const figuresByKind = (asked: readonly Asked[]) =>
  Object.fromEntries(
    QUESTION_KINDS.flatMap((kind) => {
      const ofKind = answerable(asked).filter(({ question }) => question.kind === kind);
      return ofKind.length === 0 ? [] : [[kind, figuresOfAnswers(ofKind)]];
    }),
  );

/** Returns the figures of `eval:chats`, counted over all the given people. */
export function figuresOf(scores: readonly ChatScore[]) {
  const count = (of: (score: ChatScore) => number) => scores.reduce((sum, one) => sum + of(one), 0);
  const factsFound = count(({ facts }) => facts.found.length);
  const covered = count(({ episodes }) => episodes.covered.length);
  const captured = count(({ episodes: { episodes } }) => episodes.length);
  const linked = count(({ links }) => links.right.length);
  const [parted, unlabelled] = [
    count(({ links }) => links.wrong.length),
    count(({ links }) => links.unlabelled.length),
  ];
  const cuts = {
    hits: count((score) => score.cuts.hits),
    found: count((score) => score.cuts.found),
    labelled: count((score) => score.cuts.labelled),
  };
  const belonging = linked + count(({ links }) => links.missed.length);
  return {
    ...figuresOfAnswers(scores.flatMap(({ asked }) => asked)),
    factPrecision: share(
      count(({ facts }) => facts.right.length),
      count(({ active }) => active),
    ),
    factRecall: share(factsFound, factsFound + count(({ facts }) => facts.missed.length)),
    facts: count(({ active }) => active),
    factsWrong: count(({ facts }) => facts.wrong.length),
    cutsF1: f1Of(cuts.hits, cuts.found, cuts.labelled),
    cutsPrecision: share(cuts.hits, cuts.found),
    cutsRecall: share(cuts.hits, cuts.labelled),
    keep: share(covered, covered + count(({ episodes: { uncovered } }) => uncovered.length)),
    gist: share(
      count(({ episodes: { gist } }) => gist.matched),
      count(({ episodes: { gist } }) => gist.wanted),
    ),
    episodes: count(
      ({ episodes: { episodes } }) =>
        episodes.filter(({ capture }) => capture === 'CREATED').length,
    ),
    extra: share(
      count(({ episodes: { extra } }) => extra.length),
      captured,
    ),
    linkF1: f1Of(linked, linked + parted, belonging),
    linkPrecision: share(linked, linked + parted),
    linkRecall: share(linked, belonging),
    linksUnlabelled: unlabelled,
  };
}
