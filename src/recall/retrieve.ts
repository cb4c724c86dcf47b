import type { Context } from '../context.ts';
import type { MemoryCandidate } from '../domain/memory-ranking.ts';
import {
  RANKING_WEIGHTS,
  type RankingQuery,
  type RankingWeights,
  readQuery,
} from '../domain/ranking.ts';
import { queryFormsOf } from '../domain/terms.ts';
import { memoryFilter, turnFilter } from './filter.ts';
import type { VectorUse } from './query-vector.ts';
import type { Question } from './read-question.ts';
import { type FoundTurns, retrieveTurns } from './retrieve-turns.ts';
import type { TimeRange } from './time-range.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];

/** What may answer a question. */
export type Found = {
  /** Null when turns are not asked for. */
  turns: FoundTurns | null;
  memories: MemoryCandidate[];
  query: RankingQuery;
  weights: RankingWeights;
  vectors: VectorUse;
};

/** Where and how to look. */
export type Search = {
  question: Question;
  range: TimeRange | null;
  threadIds: readonly number[] | null;
  vector: ArrayLike<number> | null;
  use: VectorUse;
};

/** Recall's second stage: of every kind asked for the best by words and the nearest by meaning. */
export async function retrieve(
  ctx: Context,
  tx: Tx,
  userId: string,
  { question, range, threadIds, vector, use }: Search,
): Promise<Found> {
  const query = { ...readQuery(question.query), range: range?.filters ? null : range };
  const embedder = ctx.embedder?.name ?? '';
  const weights = { ...RANKING_WEIGHTS, ...weightsOf(ctx.embedder) };
  const filter = memoryFilter(question, range?.filters ? range : null, threadIds);
  const kinds = question.kinds.flatMap((kind) => (kind === 'TURN' ? [] : [kind]));
  const { terms } = query;
  const only = turnFilter(filter);
  const turns = question.kinds.includes('TURN')
    ? await retrieveTurns(
        ctx,
        tx,
        { userId, terms, vector, embedder, weights, ...(only ? { filter: only } : {}) },
        {
          query,
          first: question.first ?? ctx.config.recall.first,
          floor: ctx.config.recall.weights.turnFloor,
        },
      )
    : null;
  const memories =
    kinds.length > 0
      ? await ctx.store.searchMemories.searchMemories(tx, {
          userId,
          forms: queryFormsOf(question.query),
          vector,
          embedder,
          kinds,
          filter,
          weights,
        })
      : [];
  const timeZone = turns?.timeZone ?? query.timeZone;
  const vectors = use === 'USED' && turns?.embedded === false ? 'PARTIAL' : use;
  return { turns, memories, query: { ...query, timeZone }, weights, vectors };
}

/** How much meaning counts beside words is the model's own. */
const weightsOf = (embedder: Context['embedder']) =>
  embedder ? { vector: embedder.profile.vectorWeight } : {};
