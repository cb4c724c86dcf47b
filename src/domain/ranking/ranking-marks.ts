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

/** How many characters of a turn's text, from its beginning, are read for the ranking. */
export const MARKED_CHARACTERS = 4_000;

/** Computes the marks of a text. */
export function marksOf(text: string, role: string): Omit<RankingMarks, 'speaker' | 'occurredAt'> {
  const read = text.slice(0, MARKED_CHARACTERS);
  const isReply = role !== 'USER' && role !== 'OTHER';
  return {
    asks: read.includes('?'),
    tellsTime: hasTimeWord(read),
    isReply,
    saysNothing: isCourtesy(text),
  };
}
