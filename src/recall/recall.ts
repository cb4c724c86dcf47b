import type { RecallContext } from '../context.ts';
import { assemble } from './assemble.ts';
import { fitBudget } from './budget.ts';
import { chooseHits } from './choose-hits.ts';
import { findCandidates } from './find-candidates.ts';
import { readQuestion, type Scope } from './read-question.ts';
import { type Recall, recallOf } from './recalled.ts';
import { episodesOf, recordImpression } from './record-impression.ts';
import { scoreCandidates } from './score-candidates.ts';
import { prepareSearch, type Search } from './search.ts';
import { touchFacts } from './touch-facts.ts';

/** A query, and where its answer is shown. */
type Request = Scope & {
  /** See `readQuestion`. */
  input: unknown;
  /** The thread in which the answer is shown and later reviewed; null = none. */
  impressionIn: number | null;
};

/**
 * Answers a query from memory (requirements 12), in stages: question → search → candidates → scores → hits → token budget.
 * @throws InvalidInput
 */
export async function recall(
  ctx: RecallContext,
  userId: string,
  request: Request,
): Promise<Recall> {
  const started = performance.now();
  const question = await readQuestion(ctx, userId, request);
  const search = await prepareSearch(ctx, userId, question);
  const recalled = await answer(ctx, userId, search);
  if (!question.factsOnly) touchFacts(ctx, userId, recalled);
  const fitted = await fitBudget(recalled, question.maxTokens);
  const { intent, vectors } = fitted;
  ctx.metrics.recalled({ intent, vectors, seconds: (performance.now() - started) / 1000 });
  const episodeIds = episodesOf(fitted.hits);
  const now = fitted.asOf;
  void recordImpression(ctx, userId, { threadId: request.impressionIn, episodeIds, now });
  return fitted;
}

/** The stages from the candidates to the hits, in one read of the memory. */
export const answer = (ctx: RecallContext, userId: string, search: Search): Promise<Recall> =>
  ctx.memory(userId).read(
    async (memory) => {
      const candidates = await findCandidates(ctx, memory, search);
      const scored = scoreCandidates(candidates, ctx.config.recall);
      const chosen = chooseHits(candidates, scored, ctx.config.recall);
      return recallOf(candidates, await assemble(ctx, memory, chosen));
    },
    { generic: true },
  );
