import type { Context } from '../context.ts';
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

/** What is asked, and where the answer is shown. */
type Asked = Scope & {
  /** See `readQuestion`. */
  input: unknown;
  /** The thread in which the answer is shown, whose talk reviews it; null = none. */
  impressionIn: number | null;
};

/**
 * Answers a query from memory (requirements 12), stage by stage: question → search → candidates → scores → hits → what fits
 * the budget of the text.
 * @throws InvalidInput
 */
export async function recall(ctx: Context, userId: string, asked: Asked): Promise<Recall> {
  const started = performance.now();
  const question = await readQuestion(ctx, userId, asked);
  const search = await prepareSearch(ctx, userId, question);
  const recalled = await answer(ctx, userId, search);
  if (!question.factsOnly) touchFacts(ctx, userId, recalled);
  const fitted = await fitBudget(recalled, question.maxTokens);
  const { intent, vectors } = fitted;
  ctx.metrics.recalled({ intent, vectors, seconds: (performance.now() - started) / 1000 });
  const episodeIds = episodesOf(fitted.hits);
  const now = fitted.asOf;
  void recordImpression(ctx, userId, { threadId: asked.impressionIn, episodeIds, now });
  return fitted;
}

/** The stages from the search to its hits, in one reading of the memory. */
export const answer = (ctx: Context, userId: string, search: Search): Promise<Recall> =>
  ctx.memory(userId).read(
    async (memory) => {
      const candidates = await findCandidates(ctx, memory, search);
      const scored = scoreCandidates(candidates, ctx.config.recall);
      const chosen = chooseHits(candidates, scored, ctx.config.recall);
      return recallOf(candidates, await assemble(ctx, memory, chosen));
    },
    { generic: true },
  );
