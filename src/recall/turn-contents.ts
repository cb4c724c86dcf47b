import type { MemoryContext } from '../context.ts';
import type { ContentPiece, StoredContent } from '../db/turns/turn-contents.ts';

export type { StoredContent };

/** Reads the long contents of turns, a piece at a time. */
export const nextTurnContents = (
  ctx: MemoryContext,
  userId: string,
  { content, piece }: { content: StoredContent; piece: ContentPiece },
): Promise<{ id: number; value: string }[]> =>
  ctx.memory(userId).read((memory) => memory.turnContents.next(content, piece));
