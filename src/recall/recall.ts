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
import { touchRecalled } from './touch-facts.ts';
import { createStopwatch, type Trace } from './trace.ts';

/** A query, and where its answer is shown. */
export type RecallRequest = Scope & {
  /** See `readQuestion`. */
  input: unknown;
  /** The thread in which the answer is shown and later reviewed; null = none. */
  shownIn: number | null;
  /** A dry run: touches no facts and records no impressions. */
  isDry?: boolean;
};

/**
 * Answers a query from memory (requirements 12), in stages: question → search → candidates → scores → choice → texts → token
 * budget.
 * @throws InvalidInput, AnswerTooLarge
 */
export async function recall(
  ctx: RecallContext,
  userId: string,
  request: RecallRequest,
): Promise<Recall & { trace: Trace }> {
  const started = performance.now();
  const { laps, lap } = createStopwatch();
  const question = await readQuestion(ctx, userId, request);
  lap('QUESTION');
  const search = await prepareSearch(ctx, userId, question);
  lap('SEARCH');
  const { trace, ...recalled } = await findHits(ctx, userId, search);
  const { lap: lapBudget, laps: last } = createStopwatch();
  const fitted = await fitBudget(recalled, question);
  lapBudget('BUDGET');
  // Which facts a prompt gives is decided only when it is put together.
  const isFinal = !question.isMessage;
  if (isFinal && !question.factsOnly && !request.isDry) touchRecalled(ctx, userId, fitted);
  const { intent, vectors, hits } = fitted;
  ctx.metrics.recalled({ intent, vectors, seconds: (performance.now() - started) / 1000 });
  const episodeIds = episodesOf(hits);
  const now = fitted.asOf;
  const threadId = request.isDry ? null : request.shownIn;
  void recordImpression(ctx, userId, { threadId, episodeIds, now });
  return { ...fitted, trace: { ...trace, laps: [...laps, ...trace.laps, ...last], hits } };
}

/** The stages from the candidates to the hits, in one read of the memory. */
export const findHits = (
  ctx: RecallContext,
  userId: string,
  search: Search,
): Promise<Recall & { trace: Trace }> =>
  ctx.memory(userId).read(
    async (memory) => {
      const { laps, lap } = createStopwatch();
      const candidates = await findCandidates(ctx, memory, search);
      lap('CANDIDATES');
      const scored = scoreCandidates(candidates, ctx.config.recall);
      lap('SCORES');
      const related = ctx.embedder?.profile.thresholds.topic ?? 1;
      const chosen = chooseHits(candidates, scored, { ...ctx.config.recall, related });
      lap('CHOICE');
      const hits = await assemble(ctx, memory, chosen);
      lap('TEXTS');
      const trace = { laps, candidates, scored, chosen, assembled: hits, hits };
      return { ...recallOf(candidates, hits), trace };
    },
    { generic: true },
  );
