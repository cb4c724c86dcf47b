import { hasTimeWord, isCourtesy } from '../../language/en/turn-cues.ts';

/** The cues of a turn: what the ranking needs to know of its text, and who said it when. */
export type RankingCues = {
  speaker: string | null;
  occurredAt: Date;
  /** It contains a question. */
  asks: boolean;
  /** It contains a word of time. */
  namesTime: boolean;
  /** An assistant or a tool said it. */
  isReply: boolean;
  /** It only agrees, thanks or greets. */
  saysNothing: boolean;
};

/** The bits of the column `turns.cues`. */
const CUE = { asks: 1, namesTime: 2, saysNothing: 4 };
/** The column's highest value: all bits. */
export const ALL_CUES = Object.values(CUE).reduce((all, bit) => all | bit, 0);
/** How many characters of a turn's text, from its beginning, are read for its cues. */
const READ_CHARACTERS = 4_000;

/** Reads in a text what the ranking needs to know of it, as bits. They are stored, so that no recall reads texts by rules. */
export function rankingCuesOf(text: string): number {
  const read = text.slice(0, READ_CHARACTERS);
  return (
    (read.includes('?') ? CUE.asks : 0) |
    (hasTimeWord(read) ? CUE.namesTime : 0) |
    (isCourtesy(text) ? CUE.saysNothing : 0)
  );
}

/** The cues of a turn, from the bits that are stored. @param stored null = not read yet */
export function readCues(
  stored: number | null,
  role: string,
): Omit<RankingCues, 'speaker' | 'occurredAt'> {
  const has = (cue: number) => ((stored ?? 0) & cue) !== 0;
  return {
    asks: has(CUE.asks),
    namesTime: has(CUE.namesTime),
    isReply: role !== 'USER' && role !== 'OTHER',
    saysNothing: has(CUE.saysNothing),
  };
}
