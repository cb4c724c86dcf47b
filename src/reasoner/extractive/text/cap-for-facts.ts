import type { Role } from '../../../shared/role.ts';
import { inPieces } from './clip.ts';
import { shareOf } from './share.ts';

/** How many clauses of a turn are read for facts: the rules take half a millisecond per clause, and more in turns with many clauses. */
const CLAUSES = 150;
/** How many clauses of all the user's turns are read, and how many more of those that are only context. */
const ALL_CLAUSES = 1_000;
const CONTEXT_CLAUSES = 150;
const FEWEST = 3;
/** The rules try every position in a sentence, so longer ones are read in pieces. In characters. */
const LONGEST = 300;

/** The boundaries of sentences. Splitting there loses no characters. */
const STOP =
  /(?<=[.!?…]["')\]]{0,3}\s{1,9})(?=\S)|(?<=\n)(?=[^\n])|(?<=\p{Extended_Pictographic})/u;

/** The boundaries at which the rules may see a new clause. Splitting there loses no characters either. */
const CLAUSE = /(?<=[,;:]\s|[()…—])|(?<=\s)(?=(?:and|but|so|or|because|since|as|[-–])\s)/iu;

const withBreak = (piece: string, index: number, { length }: readonly string[]): string =>
  index < length - 1 ? `${piece}\n` : piece;

const clausesOf = (text: string): string[] =>
  text
    .split(STOP)
    .flatMap((sentence) => inPieces(sentence, LONGEST).map(withBreak))
    .flatMap((piece) => piece.split(CLAUSE));

/**
 * Cuts turns so that the user's clauses can be searched for facts in bounded time.
 * @param contextTurns how many of the turns, the first ones, are only context
 */
export function capForFacts<T extends { role: Role; text: string }>(
  turns: readonly T[],
  contextTurns = 0,
): T[] {
  return [
    ...cutTo(CONTEXT_CLAUSES, turns.slice(0, contextTurns)),
    ...cutTo(ALL_CLAUSES, turns.slice(contextTurns)),
  ];
}

/** Cuts turns so that those of the user have `all` clauses together. */
function cutTo<T extends { role: Role; text: string }>(all: number, turns: readonly T[]): T[] {
  const read = turns.map(({ text }) => clausesOf(text));
  const share = shareOf(
    all,
    read.map(({ length }, index) =>
      turns[index]?.role === 'USER' ? Math.min(length, CLAUSES) : 0,
    ),
  );
  const most = Math.max(FEWEST, Math.min(CLAUSES, share));
  return turns.map((turn, index) => {
    const pieces = read[index] ?? [];
    // Of other turns only the last question matters.
    return {
      ...turn,
      text: (turn.role === 'USER' ? pieces.slice(0, most) : pieces.slice(-most)).join(''),
    };
  });
}
