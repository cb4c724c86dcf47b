import type { Role } from '../../../domain/core/role.ts';
import { inPieces } from './in-pieces.ts';
import { shareOf } from './share.ts';

/** The rules about facts take half a millisecond a clause, and longer the more of them a turn has. */
const CLAUSES = 150;
/** Of all the user's turns together. */
const ALL_CLAUSES = 1_000;
const FEWEST = 3;
/** They try every place of a sentence: a longer one is read in pieces. */
const LONGEST = 300;

/** Where a sentence ends: nothing is lost there, so that the pieces make the text again. */
const STOP =
  /(?<=[.!?…]["')\]]{0,3}\s{1,9})(?=\S)|(?<=\n)(?=[^\n])|(?<=\p{Extended_Pictographic})/u;

/** Where the rules may see a new clause; there nothing is lost either. */
const CLAUSE = /(?<=[,;:]\s|[()…—])|(?<=\s)(?=(?:and|but|so|or|because|since|as|[-–])\s)/iu;

const withBreak = (piece: string, index: number, { length }: readonly string[]): string =>
  index < length - 1 ? `${piece}\n` : piece;

const clausesOf = (text: string): string[] =>
  text
    .split(STOP)
    .flatMap((sentence) => inPieces(sentence, LONGEST).map(withBreak))
    .flatMap((piece) => piece.split(CLAUSE));

/** Turns of which the user's have as many clauses as can be searched for facts in bounded time. */
export function capForFacts<T extends { role: Role; text: string }>(turns: readonly T[]): T[] {
  const read = turns.map(({ text }) => clausesOf(text));
  const share = shareOf(
    ALL_CLAUSES,
    read.map(({ length }, index) =>
      turns[index]?.role === 'USER' ? Math.min(length, CLAUSES) : 0,
    ),
  );
  const most = Math.max(FEWEST, Math.min(CLAUSES, share));
  return turns.map((turn, index) => {
    const pieces = read[index] ?? [];
    // Of the others' turns the last question counts.
    return {
      ...turn,
      text: (turn.role === 'USER' ? pieces.slice(0, most) : pieces.slice(-most)).join(''),
    };
  });
}
