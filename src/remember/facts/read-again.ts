import type { Context } from '../../context.ts';
import { ErasedMeanwhile } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { readBy } from '../operations/read-by.ts';
import { noteFacts } from './note-facts.ts';
import { readCandidates } from './read-candidates.ts';
import { reconcileCandidates } from './reconcile-facts.ts';

/** Turns before the one that is read, for who "she" is and what was asked. */
const CONTEXT = 12;

/**
 * Learns the facts of one turn anew, in the light of what is left around it: what was learned of it had words of a turn
 * that is forgotten. What it was heard to say already is not heard twice.
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
    const stretch = { threadId, from: number - CONTEXT, to: number };
    const around = await memory.turns.inStretches([stretch], readBy(ctx));
    const own = around.filter(({ id, isUnreadable }) => id === turnId && !isUnreadable);
    const readings = await ctx.rules.readTurns(own, { userId });
    const noted = own.map((turn, at) => ({ turn, facts: readings[at]?.facts ?? [] }));
    await noteFacts(ctx, memory, noted);
    const held = await memory.facts.held({ keys: [], values: [] });
    return { around, held, ...(await memory.facts.counters()) };
  });
  if (!read) return 'done';
  const { around, held, last, epoch } = read;
  const group = { turns: around, contextTurns: around.length - 1 };
  const { candidates } = await readCandidates(ctx, userId, { groups: [group], held, last });
  const isSaved = await ctx.memory(userId).write(async (memory) => {
    const current = await memory.facts.counters();
    if (current.epoch !== epoch) throw new ErasedMeanwhile();
    // Facts that were added meanwhile have the ids that the candidates go by.
    if (current.last !== last) return false;
    if (candidates.length > 0) await reconcileCandidates(ctx, memory, candidates);
    return true;
  });
  if (!isSaved) return 'again';
  return 'done';
}
