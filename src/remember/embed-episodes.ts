import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';
import { embedTexts, vectorOf } from './embed-texts.ts';

const BATCH = 64;

/**
 * Gives episodes the vectors of their titles and summaries, and semantic memories those of their summaries, by the
 * embedder in use: those that were told anew, and all of them after a change of the embedder.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export async function embedEpisodes(ctx: Context, userId: string): Promise<StepOutcome> {
  const { episodeVectors, semanticMemoryVectors } = ctx.store;
  const left = [
    await embedPending(ctx, userId, episodeVectors),
    await embedPending(ctx, userId, semanticMemoryVectors),
  ];
  return left.includes('again') ? 'again' : 'done';
}

async function embedPending(
  ctx: Context,
  userId: string,
  kind: Pick<Context['store']['episodeVectors'], 'pending' | 'save'>,
): Promise<StepOutcome> {
  const { embedder } = ctx;
  if (!embedder) return 'done';
  const { name } = await embedder.identify();
  const pending = await ctx.db.asUser(userId, (tx) => kind.pending(tx, userId, name, BATCH));
  if (pending.length === 0) return 'done';
  const texts = pending.map(({ text }) => text);
  const embedded = await embedTexts(embedder, userId, texts);
  const made = pending.map((own, place) => {
    const result = embedded[place];
    return { ...own, vector: result ? vectorOf(result) : null };
  });
  await ctx.db.asUser(userId, (tx) => kind.save(tx, userId, name, made), { lock: true });
  return pending.length === BATCH ? 'again' : 'done';
}
