import type { Context, Needs } from '../context.ts';
import { InvalidInput, ModelUnavailable } from '../domain/core/errors.ts';
import type { Question } from './read-question.ts';

/**
 * Whether vectors were searched: of all turns (USED), of some (PARTIAL), or not at all. NOT_READY: the query's vector was not
 * available in time. NOT_NEEDED: a fact answers directly, or only facts are requested. OFF: there is no embedder.
 */
export type VectorUse = 'USED' | 'PARTIAL' | 'NOT_READY' | 'NOT_NEEDED' | 'OFF';

/** A question's vector, and how it is used. */
export type MadeVector = { vector: ArrayLike<number> | null; vectors: VectorUse };

/** The vector of a question: the caller's, or the embedder's if it is ready in time. @throws InvalidInput */
export async function queryVector(
  { config, embedder, logger, tracing }: Needs<'config' | 'embedder' | 'logger' | 'tracing'>,
  userId: string,
  { query, vector }: Pick<Question, 'query' | 'vector'>,
): Promise<MadeVector> {
  if (vector) return { vector: given(embedder, vector), vectors: 'USED' };
  if (!embedder) return { vector: null, vectors: 'OFF' };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), config.recall.vectorDeadline);
  try {
    const { signal } = deadline;
    const [embedded] = await tracing.part({ name: 'embed query' }, () =>
      embedder.embed([query], { priority: 'query', signal, userId }),
    );
    return { vector: embedded ?? null, vectors: embedded ? 'USED' : 'NOT_READY' };
  } catch (error) {
    const what = error instanceof ModelUnavailable ? { reason: error.message } : { err: error };
    if (!deadline.signal.aborted) logger.warn({ userId, ...what }, 'recall.embed_failed');
    return { vector: null, vectors: 'NOT_READY' };
  } finally {
    clearTimeout(timer);
  }
}

/** The caller's own vector. @throws InvalidInput if it cannot be compared with the stored ones */
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
