import type { Database } from './db/database.ts';
import { store } from './db/store.ts';
import type { Announcer } from './events/announcer.ts';
import type { Logger } from './observability/logger.ts';

type Parts = { db: Database; announcer: Announcer; clock: () => Date; logger: Logger };

/** Notes that the built-in rules could not read a turn in time, so that none tries again; words and meaning still find it. */
export async function noteUnread(
  { db, announcer, clock, logger }: Parts,
  userId: string,
  turnId: number,
  method: string,
): Promise<void> {
  const noted = await db.asUser(
    userId,
    async (tx) => {
      const threadId = await store.turns.markUnread(tx, userId, turnId);
      if (threadId === null) return false;
      const decision = `turn.unread (the built-in rules took too long in ${method}; words and meaning find it)`;
      const turns = { firstTurnId: turnId, lastTurnId: turnId };
      await store.events.append(
        tx,
        userId,
        { kind: 'TURN_UNREAD', threadId, ...turns, decision },
        clock(),
      );
      return true;
    },
    { lock: true },
  );
  logger.warn({ userId, turn: turnId, method }, 'turn.unread');
  if (noted) announcer.announce(userId);
}
