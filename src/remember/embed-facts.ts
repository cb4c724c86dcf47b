import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';
import { embedTexts, vectorOf } from './embed-texts.ts';

const BATCH = 64;

/**
 * Gives facts their vectors by the embedder in use: new ones, and all of them after a change of the embedder.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export async function embedFacts(ctx: Context, userId: string): Promise<StepOutcome> {
  const { embedder } = ctx;
  if (!embedder) return 'done';
  const { factVectors } = ctx.store;
  const { name } = await embedder.identify();
  const pending = await ctx.db.asUser(userId, (tx) => factVectors.pending(tx, userId, name, BATCH));
  if (pending.length === 0) return 'done';
  const texts = pending.map(({ text }) => text);
  const embedded = await embedTexts(embedder, userId, texts);
  const made = pending.map(({ id }, place) => {
    const result = embedded[place];
    return { id, vector: result ? vectorOf(result) : null };
  });
  await ctx.db.asUser(userId, (tx) => factVectors.save(tx, userId, name, made), { lock: true });
  return pending.length === BATCH ? 'again' : 'done';
}
