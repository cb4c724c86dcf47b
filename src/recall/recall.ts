import type { Context } from '../context.ts';
import { rank } from '../domain/ranking.ts';
import { assemble, type Hit } from './assemble.ts';
import { readQuestion } from './read-question.ts';
import { retrieve, type VectorUse } from './retrieve.ts';

export type Recall = { hits: Hit[]; vectors: VectorUse; asOf: Date };

/**
 * The way of a question (system.md §8): read-question → retrieve → rank → assemble.
 * @param input see `readQuestion`
 * @param threadIds only turns of these threads; null = of all
 * @throws InvalidInput
 */
export async function recall(
  ctx: Context,
  userId: string,
  input: unknown,
  threadIds: readonly number[] | null,
): Promise<Recall> {
  const question = readQuestion(input);
  const { found, query, weights, vectors } = await retrieve(ctx, userId, question, threadIds);
  const best = rank(found.turns, query, found.statistics, weights).slice(0, question.first);
  const hits = await assemble(ctx, userId, best, question.neighbours, question.asOf);
  return { hits, vectors, asOf: question.asOf ?? ctx.clock() };
}
