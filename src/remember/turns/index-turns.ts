import type { IndexContext } from '../../context.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { comparedTurns } from '../../domain/links/linking.ts';

const INDEX = 'keywords';
/** About 4,000 postings: while they are stored, an embedded database does nothing else. */
const BATCH = { turns: 250, characters: 25_000 };

/** Adds a user's new turns to the keyword index, a batch at a time, and triggers their embedding. */
export async function indexTurns(ctx: IndexContext, userId: string): Promise<StepOutcome> {
  const pending = await ctx
    .memory(userId)
    .read((memory) => memory.indexProgress.pending(INDEX, BATCH));
  const last = pending.turns.at(-1);
  if (!last) return 'done';
  const textsOf = (turns: typeof pending.turns) => turns.map(({ text }) => text);
  const terms = await ctx.indexer.terms(textsOf(pending.turns));
  // Their language thread was busy when they were received.
  const unread = pending.turns.filter(({ cues }) => cues === null);
  const cues = unread.length > 0 ? await ctx.indexer.cues(textsOf(unread)) : [];
  await ctx.memory(userId).write(
    async (memory) => {
      if (!(await memory.indexProgress.advance(INDEX, pending, last.id))) {
        throw new Overtaken();
      }
      const rows = pending.turns.map((turn, index) => ({
        turnId: turn.id,
        terms: terms[index] ?? [],
      }));
      await memory.postings.insert(rows);
      if (unread.length > 0) {
        await memory.turns.setCues(
          unread.map(({ id }) => id),
          cues,
        );
      }
      memory.changed('turnsIndexed');
      // With an embedder, threads are compared only once their turns have vectors.
      if (!ctx.embedder) await memory.links.noteUnseen(comparedTurns(ctx.reasoner.generatedBy));
    },
    { lock: false, since: pending.epoch },
  );
  ctx.logger.debug({ userId, turns: pending.turns.length }, 'turns.index');
  // Turns that arrived meanwhile have triggered the step again.
  return pending.more ? 'again' : 'done';
}
