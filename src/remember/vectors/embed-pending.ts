import type { MemoryContext } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import type { Step } from '../../pipeline.ts';
import { embedTexts, vectorOf } from './embed-texts.ts';

const BATCH = 64;

/**
 * Embeds memories that have no vector by the embedder in use, of the kinds that a step embeds, a batch at a time.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export async function embedPending(
  ctx: MemoryContext,
  userId: string,
  step: Step,
): Promise<StepOutcome> {
  const { embedder } = ctx;
  if (!embedder) return 'done';
  const { name } = await embedder.identify();
  const pending = await ctx
    .memory(userId)
    .read((memory) => memory.derivedVectors.pending(step, name, BATCH));
  if (pending.length === 0) return 'done';
  const texts = pending.map(({ text }) => text);
  const embedded = await embedTexts({ ...ctx, embedder }, userId, texts);
  const made = pending.map((own, place) => {
    const result = embedded[place];
    return { ...own, vector: result ? vectorOf(result) : null };
  });
  await ctx.memory(userId).write((memory) => memory.derivedVectors.save(step, name, made));
  return pending.length === BATCH ? 'again' : 'done';
}
