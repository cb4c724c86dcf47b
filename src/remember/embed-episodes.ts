import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';
import { embedTexts, vectorOf } from './embed-texts.ts';

const BATCH = 64;

/**
 * Gives episodes the vectors of their titles and summaries by the embedder in use: those that were told anew, and all
 * of them after a change of the embedder.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export async function embedEpisodes(ctx: Context, userId: string): Promise<StepOutcome> {
  const { embedder } = ctx;
  if (!embedder) return 'done';
  const { episodeVectors } = ctx.store;
  const { name } = await embedder.identify();
  const pending = await ctx.db.asUser(userId, (tx) =>
    episodeVectors.pending(tx, userId, name, BATCH),
  );
  if (pending.length === 0) return 'done';
  const embedded = await embedTexts(
    embedder,
    userId,
    pending.map(({ text }) => text),
  );
  const made = pending.map((episode, place) => {
    const result = embedded[place];
    return { ...episode, vector: result ? vectorOf(result) : null };
  });
  await ctx.db.asUser(userId, (tx) => episodeVectors.save(tx, userId, name, made), { lock: true });
  return pending.length === BATCH ? 'again' : 'done';
}
