import type { Context } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { CONTEXT_TURNS } from '../../domain/facts/fact.ts';
import type { Memory } from '../../memory.ts';
import { readBy } from '../operations/read-by.ts';
import { noteFacts } from './note-facts.ts';
import { readCandidates } from './read-candidates.ts';
import { reconcileCandidates } from './reconcile-facts.ts';

/**
 * Extracts the facts of one turn again, after facts of it were erased because they contained words of a forgotten turn. The
 * turns that are left around it are its context. Statements that are still stored for the turn are ignored.
 */
export async function readAgain(
  ctx: Context,
  userId: string,
  turnId: number,
): Promise<StepOutcome> {
  const read = await ctx.memory(userId).write(async (memory) => {
    const [place] = await memory.turns.places([turnId]);
    if (place?.role !== 'USER') return null;
    const { threadId, number } = place;
    const stretch = { threadId, from: number - CONTEXT_TURNS, to: number };
    const around = await memory.turns.inStretches([stretch], readBy(ctx));
    const readable = around.filter(({ id, unreadByRules }) => id === turnId && !unreadByRules);
    const readings = await ctx.rules.readTurns(readable, { userId });
    const noted = readable.map((turn, at) => ({ turn, facts: readings[at]?.facts ?? [] }));
    await noteFacts(ctx, memory, noted);
    const storedFacts = await memory.facts.stored({});
    return { around, storedFacts, ...(await memory.facts.counters()) };
  });
  if (!read) return 'done';
  const { around, storedFacts, last, epoch } = read;
  const group = { turns: around, contextTurns: around.length - 1 };
  const { candidates } = await readCandidates(ctx, userId, { groups: [group], storedFacts });
  const save = async (memory: Memory) => {
    // The candidates were not compared by meaning with facts that were added meanwhile.
    if ((await memory.facts.counters()).last !== last) return false;
    if (candidates.length > 0) await reconcileCandidates(ctx, memory, candidates);
    return true;
  };
  const isSaved = await ctx.memory(userId).write(save, { since: epoch });
  if (!isSaved) return 'again';
  return 'done';
}
