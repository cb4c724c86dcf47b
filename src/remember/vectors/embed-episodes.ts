import type { Context } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { embedPending } from './embed-pending.ts';

/**
 * Gives episodes the vectors of their titles and summaries, and semantic memories those of their summaries, by the
 * embedder in use: those that were told anew, and all of them after a change of the embedder.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export async function embedEpisodes(ctx: Context, userId: string): Promise<StepOutcome> {
  const left = [
    await embedPending(ctx, userId, 'EPISODE'),
    await embedPending(ctx, userId, 'SEMANTIC_MEMORY'),
    await embedPending(ctx, userId, 'SKILL'),
  ];
  return left.includes('again') ? 'again' : 'done';
}
