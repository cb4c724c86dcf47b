import type { Context } from '../context.ts';
import { InvalidInput } from '../domain/errors.ts';
import { RANKING_WEIGHTS, type RankingQuery, readQuery } from '../domain/ranking.ts';
import type { Question } from './read-question.ts';

export type Found = Awaited<ReturnType<Context['store']['search']['searchTurns']>>;

/** Whether meaning was searched too, or words alone. */
export type VectorUse = 'USED' | 'NOT_READY' | 'OFF';

/** What may answer a question: the best by words and the nearest by meaning, in one round trip. */
export async function retrieve(
  ctx: Context,
  userId: string,
  question: Question,
  threadIds: readonly number[] | null,
): Promise<{ found: Found; query: RankingQuery; vectors: VectorUse }> {
  const query = readQuery(question.query);
  const { vector, use } = await vectorOf(ctx, question);
  const filter = filterOf(question, threadIds);
  const found = await ctx.db.asUser(userId, (tx) =>
    ctx.store.search.searchTurns(tx, {
      userId,
      terms: query.terms,
      vector,
      embedder: ctx.embedder?.name ?? '',
      weights: RANKING_WEIGHTS,
      ...(filter ? { filter } : {}),
    }),
  );
  const timeZone = found.timeZone ?? query.timeZone;
  return { found, query: { ...query, timeZone }, vectors: use };
}

async function vectorOf(
  { config, embedder, logger }: Context,
  { query, vector }: Question,
): Promise<{ vector: ArrayLike<number> | null; use: VectorUse }> {
  if (vector) return { vector: given(embedder, vector), use: 'USED' };
  if (!embedder) return { vector: null, use: 'OFF' };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), config.recall.vectorDeadline);
  try {
    const [made] = await embedder.embed([query], { priority: 'query', signal: deadline.signal });
    return { vector: made ?? null, use: made ? 'USED' : 'NOT_READY' };
  } catch (error) {
    if (!deadline.signal.aborted) logger.warn({ err: error }, 'recall.embed_failed');
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
    const message = embedder ? `must be "${embedder.name}"` : 'vectors are switched off here';
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
