/** What the ranking knows of what a turn says. */
export type RankingMarks = {
  speaker: string | null;
  occurredAt: Date;
  /** It asks something. */
  asks: boolean;
  /** It has a word of time. */
  tellsTime: boolean;
  /** An assistant or a tool said it. */
  isReply: boolean;
};

const TIME_WORD =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|weeks?|weekend|months?|years?|days?|morning|evening|afternoon|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|recently|just|summer|winter|spring|fall|autumn|since|soon|(?:19|20)\d\d)\b/i;

/** Of a longer text so many characters, from its beginning, are read for the ranking. */
export const MARKED_CHARACTERS = 4_000;

/** What the ranking reads in a turn. */
export function marksOf(
  text: string,
  role: string,
): Pick<RankingMarks, 'asks' | 'tellsTime' | 'isReply'> {
  const read = text.slice(0, MARKED_CHARACTERS);
  const isReply = role !== 'USER' && role !== 'OTHER';
  return { asks: read.includes('?'), tellsTime: TIME_WORD.test(read), isReply };
}
