import type { Call } from '../reasoner/reasoner.ts';
import { type LanguageThread, type Task, TaskStopped, type TimeLimit } from './language-thread.ts';
import type { LanguageThreads } from './language-threads.ts';
import type { Method } from './serve.ts';
import { readable, turnsIn } from './unread-turns.ts';

/** Notes that rules could not read a turn in time, so that none tries again. */
export type NoteUnread = (userId: string, turnId: number, method: Method) => Promise<void>;

/** Milliseconds: computing on one turn, on all turns of a step, and in all: a step may wait for vectors. */
const LIMITS = { turn: 2_000, step: 10_000, inAll: 120_000 };

/** Steps that only learn facts have a thread of their own. */
const FACTS: ReadonlySet<Method> = new Set<Method>(['extractFacts', 'isSameFact']);

/**
 * Runs a function in a background thread. A turn that it cannot read in time is noted and left out, and the others are
 * read; without `noteUnread` such a turn fails it.
 */
export function createBackground(
  { facts, steps }: LanguageThreads,
  noteUnread?: NoteUnread,
): (method: Method, input: unknown, call: Call) => Promise<unknown> {
  return (method, input, { userId, signal }) => {
    const thread = FACTS.has(method) ? facts : steps;
    const limit = limitOf(input);
    const run = async (read: unknown): Promise<unknown> => {
      try {
        return await thread.run(method, read, { userId, limit, signal });
      } catch (error) {
        if (!(error instanceof TaskStopped && noteUnread)) throw error;
        const one = { computing: LIMITS.turn, inAll: LIMITS.inAll };
        const turnId = await findUnreadable(thread, method, read, { userId, limit: one, signal });
        if (turnId === null) throw error;
        await noteUnread(userId, turnId, method);
        return run(readable(read, ({ id }) => id !== turnId));
      }
    };
    return run(readable(input, ({ isUnread }) => !isUnread));
  };
}

/** So much for each turn that a step is about. */
function limitOf(input: unknown): TimeLimit {
  const { contextTurns = 0 } = (input ?? {}) as { contextTurns?: number };
  const turns = Math.max(1, turnsIn(input).size - contextTurns);
  return { computing: Math.min(LIMITS.step, LIMITS.turn * turns), inAll: LIMITS.inAll };
}

/** The turn that a function cannot read in time even by itself; null if there is none. The longest are tried first. */
async function findUnreadable(
  thread: LanguageThread,
  method: Method,
  input: unknown,
  task: Task,
): Promise<number | null> {
  const turns = [...turnsIn(input).values()].sort((a, b) => b.text.length - a.text.length);
  for (const { id } of turns) {
    try {
      const alone = readable(input, (turn) => turn.id === id);
      await thread.run(method, alone, task);
    } catch (error) {
      if (error instanceof TaskStopped) return id;
      throw error;
    }
  }
  return null;
}
