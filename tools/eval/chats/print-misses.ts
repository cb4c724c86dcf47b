import type { Asked } from './ask-questions.ts';
import type { ChatScore } from './chat-figures.ts';
import { turnsOf } from './chat-file.ts';
import type { ActiveFact, MadeSegment } from './read-memory.ts';
import type { EpisodeScore } from './score-episodes.ts';

/** The most characters that are shown of a turn or a hit. */
const SHOWN = 240;

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
};
const sources = (expressions: readonly RegExp[]) =>
  expressions.map(({ source }) => `/${source}/`).join('  ');

/** Prints what a person's memory misses or has wrong, with the turns that say it. */
export function printMisses(score: ChatScore): void {
  const turnByNumber = new Map(turnsOf(score.chat).map((turn) => [turn.n, turn]));
  const turn = (n: number) =>
    `${n} ${turnByNumber.get(n)?.role}: ${short(turnByNumber.get(n)?.text ?? '')}`;
  console.log(`\n===== ${score.chat.file} =====`);
  for (const asked of score.asked) printAsked(asked, turn);
  printFacts(score, turn);
  printCuts(score, turn);
  printEpisodes(score.episodes, turn);
  for (const [what, pairs] of Object.entries(score.links))
    if (what !== 'right')
      for (const pair of pairs) console.log(`link ${what}: ${pair.join(' - ')}`);
}

type DescribeTurn = (n: number) => string;

function printAsked({ question, missing, block, hits }: Asked, turn: DescribeTurn): void {
  if (question.kind === 'none' || missing.context.length + missing.first.length === 0) return;
  console.log(`\nquestion (${question.kind}): ${question.q}`);
  console.log(`  answer    ${sources(question.answer)}`);
  for (const n of question.evidence) console.log(`  evidence  ${turn(n)}`);
  if (missing.first.length > 0) {
    console.log(`  first 5 hits lack ${sources(missing.first)}`);
    for (const hit of hits) console.log(`  hit       ${short(hit)}`);
  }
  if (missing.context.length > 0) {
    console.log(`  context lacks ${sources(missing.context)}`);
    for (const line of block.trim().split('\n')) console.log(`  | ${line}`);
  }
}

function printFacts({ facts }: ChatScore, turn: DescribeTurn): void {
  const describe = ({ category, polarity, statement, value }: ActiveFact) =>
    `${category} ${polarity} ${statement} [${value}]`;
  console.log('\nfacts');
  for (const { statement, value, from } of facts.missed) {
    console.log(`  missed       ${statement}  ${sources(value)}`);
    console.log(`               ${turn(from)}`);
  }
  for (const { fact, expression } of facts.wrong)
    console.log(`  wrong        ${describe(fact)} matches /${expression.source}/`);
  for (const fact of facts.superfluous) console.log(`  superfluous  ${describe(fact)}`);
  for (const fact of facts.right) console.log(`  right        ${describe(fact)}`);
}

function printCuts({ cuts }: ChatScore, turn: DescribeTurn): void {
  console.log('\ncuts');
  for (const n of cuts.missed) console.log(`  missed  ${turn(n)}`);
  for (const n of cuts.extra) console.log(`  extra   ${turn(n)}`);
}

function printEpisodes({ covered, uncovered, extra }: EpisodeScore, turn: DescribeTurn): void {
  console.log('\nepisodes');
  const describe = ({ title, summary, turns, capture, reason }: MadeSegment) => {
    console.log(`    turns    ${turns[0]}-${turns.at(-1)} ${capture}, ${reason}`);
    console.log(`    title    ${title}`);
    console.log(`    summary  ${summary}`);
  };
  for (const { turns, why, gist } of uncovered) {
    console.log(`  not kept (${why}) ${turns.join('-')}: ${sources(gist)}`);
    console.log(`    ${turn(turns[0])}`);
  }
  for (const { keep, episodes, missing } of covered) {
    if (missing.length === 0) continue;
    console.log(`  gist missed (${keep.why}) ${keep.turns.join('-')}: ${sources(missing)}`);
    for (const episode of episodes) describe(episode);
  }
  for (const episode of extra) {
    console.log('  extra');
    describe(episode);
  }
  console.log('\nlinks');
}
