import type { Call } from '../reasoner/reasoner.ts';
import type { LanguageThread, Task } from './language-thread.ts';
import type { LanguageThreads } from './language-threads.ts';
import type { Method } from './serve.ts';
import { TaskStopped, type TimeLimit } from './time-limit.ts';
import { turnsIn, UNREADABLE, withoutUnreadable } from './unreadable-turns.ts';

/** Marks a turn as unreadable, so that the rules never try it again. */
export type NoteUnreadable = (userId: string, turnId: number, method: Method) => Promise<void>;

/**
 * Limits in milliseconds: of processor time for one turn (`turn`) and for all turns of a step (`step`), and of elapsed time
 * (`inAll`), which includes waiting for vectors.
 */
const LIMITS = { turn: 2_000, step: 10_000, inAll: 120_000 };

/** A task of the thread for facts that reads more characters than this lets those of other users go first: see `PlaceInLine`. */
const SHORT = 4_000;

/**
 * An import has dozens of these waiting, one for each thread. Short tasks go first: the steps that read a whole memory do one after another,
 * and each would wait for all of these.
 */
const BULK: ReadonlySet<Method> = new Set<Method>(['compact', 'findBoundaries', 'newsIn']);

/** These functions run in the thread for facts. */
const FACTS: ReadonlySet<Method> = new Set<Method>(['extractFacts', 'isSameFact']);

/**
 * Returns a function that runs a rule in a background thread. If the rule cannot read a turn in time, the turn is marked as
 * unreadable and the rule runs again without it. Without `noteUnreadable` the call throws `TaskStopped` instead.
 */
export function createBackground(
  { facts, steps }: LanguageThreads,
  noteUnreadable?: NoteUnreadable,
): (method: Method, input: unknown, call: Call) => Promise<unknown> {
  return (method, input, { userId, signal }) => {
    const isForFacts = FACTS.has(method);
    const thread = isForFacts ? facts : steps;
    const place = {
      userId,
      isBulk: isForFacts ? charactersIn(input) > SHORT : BULK.has(method),
      signal,
    };
    const limit = limitOf(input);
    const run = async (read: unknown): Promise<unknown> => {
      try {
        return await thread.run(method, read, { ...place, limit });
      } catch (error) {
        if (!(error instanceof TaskStopped && noteUnreadable)) throw error;
        const one = { computing: LIMITS.turn, inAll: LIMITS.inAll };
        const unreadable = await findUnreadable(thread, method, read, { ...place, limit: one });
        if (unreadable.size === 0) throw error;
        await Promise.all([...unreadable].map((turnId) => noteUnreadable(userId, turnId, method)));
        return run(withoutUnreadable(read, ({ id }) => !unreadable.has(id)));
      }
    };
    return run(withoutUnreadable(input, ({ unreadByRules }) => !unreadByRules));
  };
}

const charactersIn = (input: unknown): number =>
  [...turnsIn(input).values()].reduce((sum, { text }) => sum + text.length, 0);

/** The limit of a task: `LIMITS.turn` for each turn that the step reads, at most `LIMITS.step`. */
function limitOf(input: unknown): TimeLimit {
  const { contextTurns = 0 } = (input ?? {}) as { contextTurns?: number };
  const turns = Math.max(1, turnsIn(input).size - contextTurns);
  return { computing: Math.min(LIMITS.step, LIMITS.turn * turns), inAll: LIMITS.inAll };
}

/**
 * Finds the turn that a rule cannot read in time even alone; the longest turns are tried first. If the rule can read each turn
 * alone but not all together, returns the longest turns that together have half of the characters.
 */
async function findUnreadable(
  thread: LanguageThread,
  method: Method,
  input: unknown,
  task: Task,
): Promise<Set<number>> {
  const turns = [...turnsIn(withoutUnreadable(input, () => true)).values()]
    .filter(({ text }) => text !== UNREADABLE)
    .sort((a, b) => b.text.length - a.text.length);
  for (const { id } of turns) {
    try {
      const alone = withoutUnreadable(input, (turn) => turn.id === id);
      await thread.run(method, alone, task);
    } catch (error) {
      if (error instanceof TaskStopped) return new Set([id]);
      throw error;
    }
  }
  return longest(turns);
}

/** The longest turns that together have half of all characters. `turns` are sorted by length, longest first. */
function longest(turns: readonly { id: number; text: string }[]): Set<number> {
  const ids = new Set<number>();
  let left = turns.reduce((sum, { text }) => sum + text.length, 0) / 2;
  for (const { id, text } of turns) {
    if (left <= 0) break;
    ids.add(id);
    left -= text.length;
  }
  return ids;
}
