import { findTopicStarts } from '../../domain/segments/boundary-model.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';

/**
 * Finds where new topics begin in a window of turns, by their vectors, their words and how they open and close
 * (domain/segments/boundary-model.ts). Without vectors by words alone. Speakers and pauses count if an assistant answers
 * at once.
 */
export async function findBoundaries(
  { turns }: StepArguments<'find-boundaries'>,
  similarity: Pick<SemanticSimilarity, 'vectorsOf'> | null,
): Promise<StepOutput<'find-boundaries'>> {
  const texts = turns.map(({ text }) => text);
  const vectors = similarity && (await similarity.vectorsOf(texts));
  return { boundaries: findTopicStarts(turns, vectors), segments: [], compaction: null };
}
