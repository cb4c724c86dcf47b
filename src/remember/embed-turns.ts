import type { Context } from '../context.ts';
import { ErasedMeanwhile } from '../domain/errors.ts';
import type { StepOutcome } from '../domain/job.ts';

const BATCH = { turns: 64, characters: 100_000 };

/** The name under which a vector index notes its progress. */
const vectorIndex = (embedder: string) => `vectors:${embedder}`;

/** Gives a user's new turns their vectors, a small batch at a time, behind any waiting query. */
export async function embedTurns(ctx: Context, userId: string): Promise<StepOutcome> {
  const { embedder } = ctx;
  if (!embedder) return 'done';
  const { indexProgress, vectors, events } = ctx.store;
  const index = vectorIndex(embedder.name);
  const pending = await ctx.db.asUser(userId, (tx) =>
    indexProgress.pending(tx, userId, index, BATCH),
  );
  const [first] = pending.turns;
  const last = pending.turns.at(-1);
  if (!first || !last) return 'done';
  const embedded = await embedder.embed(
    pending.turns.map((turn) => turn.text),
    { priority: 'batch' },
  );
  await ctx.db.asUser(userId, async (tx) => {
    if (!(await indexProgress.advance(tx, userId, index, pending, last.id))) {
      throw new ErasedMeanwhile();
    }
    const ids = pending.turns.map((turn) => turn.id);
    await vectors.insert(tx, userId, embedder.name, ids, embedded);
    const event = {
      kind: 'TURNS_INDEXED' as const,
      firstTurnId: first.id,
      lastTurnId: last.id,
      decision: `turns.index (${ids.length} by ${embedder.name})`,
    };
    await events.append(tx, userId, event, ctx.clock());
  });
  ctx.announcer.announce(userId);
  ctx.logger.debug({ userId, turns: pending.turns.length }, 'turns.embed');
  // Turns that came meanwhile have woken the step once more.
  return pending.more ? 'again' : 'done';
}
