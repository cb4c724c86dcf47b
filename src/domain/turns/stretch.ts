/** A range of turn numbers in a thread, both ends included. */
export type Stretch = { threadId: number; from: number; to: number };

/** The turns of a segment or an episode. */
export const stretchOf = (part: {
  threadId: number;
  firstTurn: number;
  lastTurn: number;
}): Stretch => ({ threadId: part.threadId, from: part.firstTurn, to: part.lastTurn });

export const isIn = (
  { threadId, from, to }: Stretch,
  turn: { threadId: number; number: number },
): boolean => turn.threadId === threadId && turn.number >= from && turn.number <= to;
