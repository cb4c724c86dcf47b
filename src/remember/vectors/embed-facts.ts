import type { MemoryContext } from '../../context.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { STEPS } from '../../pipeline.ts';
import { embedPending } from './embed-pending.ts';

/** Gives facts without a vector one by the embedder in use: also all of them after a change of the embedder. */
export const embedFacts = (ctx: MemoryContext, userId: string): Promise<StepOutcome> =>
  embedPending(ctx, userId, STEPS.embedFacts);
