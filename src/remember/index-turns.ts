import type { Context } from '../context.ts';
import { ErasedMeanwhile } from '../domain/errors.ts';
import { gathered, type StepOutcome } from '../domain/job.ts';
import { comparedTurns } from '../domain/linking.ts';

const INDEX = 'keywords';
const BATCH = { turns: 250, characters: 200_000 };

/** Adds a user's new turns to the keyword index, a batch at a time, and wakes the embedding. */
export async function indexTurns(ctx: Context, userId: string): Promise<StepOutcome> {
  const { indexProgress, postings, jobs, links } = ctx.store;
  const pending = await ctx.db.asUser(userId, (tx) =>
    indexProgress.pending(tx, userId, INDEX, BATCH),
  );
  const last = pending.turns.at(-1);
  if (!last) return 'done';
  const terms = await ctx.indexer.terms(pending.turns.map((turn) => turn.text));
  await ctx.db.asUser(userId, async (tx) => {
    if (!(await indexProgress.advance(tx, userId, INDEX, pending, last.id))) {
      throw new ErasedMeanwhile();
    }
    const rows = pending.turns.map((turn, index) => ({
      turnId: turn.id,
      terms: terms[index] ?? [],
    }));
    await postings.insert(tx, userId, rows);
    if (ctx.embedder) {
      const runAt = gathered('embed-turns', ctx.config.gather, ctx.clock());
      await jobs.add(tx, userId, { step: 'embed-turns', subject: 0, runAt });
    } else await links.wake(tx, userId, comparedTurns(ctx.reasoner.generatedBy), ctx.clock());
  });
  ctx.logger.debug({ userId, turns: pending.turns.length }, 'turns.index');
  // Turns that came meanwhile have woken the step once more.
  return pending.more ? 'again' : 'done';
}
