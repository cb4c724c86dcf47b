import type { MemoryContext } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { STEPS } from '../../pipeline.ts';
import { embedPending } from './embed-pending.ts';

/**
 * Embeds the texts that are written about turns, by the embedder in use: those of episodes and of what is derived from
 * them. New texts are embedded, and all of them after a change of the embedder.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export const embedEpisodes = (ctx: MemoryContext, userId: string): Promise<StepOutcome> =>
  embedPending(ctx, userId, STEPS.embedEpisodes);
