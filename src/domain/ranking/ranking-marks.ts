import { hasTimeWord, isCourtesy } from '../../language/en/turn-cues.ts';

/** What the ranking reads in a turn. */
export type RankingMarks = {
  speaker: string | null;
  occurredAt: Date;
  /** It contains a question. */
  asks: boolean;
  /** It contains a word of time. */
  tellsTime: boolean;
  /** An assistant or a tool said it. */
  isReply: boolean;
  /** It only agrees, thanks or greets. */
  saysNothing: boolean;
};

/** The bits of the column `turns.cues`. */
const CUE = { asks: 1, tellsTime: 2, saysNothing: 4 };
/** How many characters of a turn's text, from its beginning, are read for its cues. */
const READ_CHARACTERS = 4_000;

/** Reads in a text what the ranking needs to know of it, as bits. They are stored, so that no recall reads texts by rules. */
export function cuesOf(text: string): number {
  const read = text.slice(0, READ_CHARACTERS);
  return (
    (read.includes('?') ? CUE.asks : 0) |
    (hasTimeWord(read) ? CUE.tellsTime : 0) |
    (isCourtesy(text) ? CUE.saysNothing : 0)
  );
}

/** The marks of a turn from its stored cues. @param cues null = not read yet */
export function marksOf(
  cues: number | null,
  role: string,
): Omit<RankingMarks, 'speaker' | 'occurredAt'> {
  const has = (cue: number) => ((cues ?? 0) & cue) !== 0;
  return {
    asks: has(CUE.asks),
    tellsTime: has(CUE.tellsTime),
    isReply: role !== 'USER' && role !== 'OTHER',
    saysNothing: has(CUE.saysNothing),
  };
}
