import type { MemoryAccess } from './memory.ts';
import type { Logger } from './observability/logger.ts';

type Parts = { memory: (userId: string) => MemoryAccess; logger: Logger };

/** Notes that the built-in rules could not read a turn in time, so that none tries again. Recall still finds it by words and vectors. */
export async function noteUnreadable(
  parts: Parts,
  userId: string,
  turnId: number,
  method: string,
): Promise<void> {
  await parts.memory(userId).write(async (memory) => {
    const threadId = await memory.turns.markUnreadable(turnId);
    if (threadId === null) return;
    const decision = `turn.unread (the built-in rules took too long in ${method}; words and vectors still find it)`;
    const turns = { firstTurnId: turnId, lastTurnId: turnId };
    memory.record({ kind: 'TURN_UNREAD', threadId, ...turns, decision });
  });
  parts.logger.warn({ userId, turn: turnId, method }, 'turn.unread');
}
