import type { Context } from '../context.ts';
import { InvalidInput, ModelUnavailable } from '../domain/errors.ts';
import {
  RANKING_WEIGHTS,
  type RankingQuery,
  type RankingWeights,
  readQuery,
} from '../domain/ranking.ts';
import type { Question } from './read-question.ts';

export type Found = Awaited<ReturnType<Context['store']['search']['searchTurns']>>;

/** Whether meaning was searched too, in all turns or in a part of them, or words alone. */
export type VectorUse = 'USED' | 'PARTIAL' | 'NOT_READY' | 'OFF';

/** What may answer a question: the best by words and the nearest by meaning, in one round trip. */
export async function retrieve(
  ctx: Context,
  userId: string,
  question: Question,
  threadIds: readonly number[] | null,
): Promise<{ found: Found; query: RankingQuery; weights: RankingWeights; vectors: VectorUse }> {
  const query = readQuery(question.query);
  const { vector, use } = await vectorOf(ctx, userId, question);
  const filter = filterOf(question, threadIds);
  const embedder = ctx.embedder?.name ?? '';
  const weights = { ...RANKING_WEIGHTS, ...weightsOf(ctx.embedder) };
  const { found, complete } = await ctx.db.asUser(userId, async (tx) => {
    const result = await ctx.store.search.searchTurns(tx, {
      userId,
      terms: query.terms,
      vector,
      embedder,
      weights,
      ...(filter ? { filter } : {}),
    });
    if (result.embedded !== null) return { found: result, complete: result.embedded };
    const { pending } = await ctx.store.vectorIndex.progress(tx, userId, embedder);
    return { found: result, complete: pending === 0 };
  });
  const timeZone = found.timeZone ?? query.timeZone;
  const vectors = use === 'USED' && !complete ? 'PARTIAL' : use;
  return { found, query: { ...query, timeZone }, weights, vectors };
}

/** How much meaning counts beside words is the model's own. */
const weightsOf = (embedder: Context['embedder']) =>
  embedder ? { vector: embedder.profile.vectorWeight } : {};

async function vectorOf(
  { config, embedder, logger }: Context,
  userId: string,
  { query, vector }: Question,
): Promise<{ vector: ArrayLike<number> | null; use: VectorUse }> {
  if (vector) return { vector: given(embedder, vector), use: 'USED' };
  if (!embedder) return { vector: null, use: 'OFF' };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), config.recall.vectorDeadline);
  try {
    const { signal } = deadline;
    const [made] = await embedder.embed([query], { priority: 'query', signal, userId });
    return { vector: made ?? null, use: made ? 'USED' : 'NOT_READY' };
  } catch (error) {
    const what = error instanceof ModelUnavailable ? { reason: error.message } : { err: error };
    if (!deadline.signal.aborted) logger.warn({ userId, ...what }, 'recall.embed_failed');
    return { vector: null, use: 'NOT_READY' };
  } finally {
    clearTimeout(timer);
  }
}

/** A vector that the caller made. @throws InvalidInput when it does not compare with the stored ones */
function given(
  embedder: Context['embedder'],
  vector: NonNullable<Question['vector']>,
): readonly number[] {
  if (embedder?.name !== vector.embedder) {
    const message = embedder
      ? embedder.name === null
        ? "the embedder's server has not answered yet: leave the vector out"
        : `must be "${embedder.name}"`
      : 'vectors are switched off here';
    throw new InvalidInput([{ path: 'input.vector.embedder', message }]);
  }
  if (embedder.dimension !== vector.values.length) {
    throw new InvalidInput([
      { path: 'input.vector.values', message: `must hold ${embedder.dimension} numbers` },
    ]);
  }
  return vector.values;
}

/** The latest moment asked about counts: nothing was known then of what came later. */
function filterOf(question: Question, threadIds: readonly number[] | null) {
  const { from, channels, speakers, asOf } = question;
  const until = asOf ? new Date(asOf.getTime() + 1) : null;
  const to = question.to && (!until || question.to < until) ? question.to : until;
  const filter = {
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(channels ? { channels } : {}),
    ...(threadIds ? { threadIds: [...threadIds] } : {}),
    ...(speakers ? { speakers } : {}),
  };
  return Object.keys(filter).length > 0 ? filter : null;
}
