import {
  OPENING_TURNS,
  openingSurprise,
  type SurpriseScale,
  wordSurprise,
} from '../../domain/segments/surprise.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';

/** How many turns before the segment are compared: one 20 turns back counts less than a thousandth. */
const REMEMBERED = 20;

/**
 * Judges how unexpected the opening of a segment is after the turns before it, 0-1 on the embedder's `scale`; 0 without
 * turns before it. Without vectors by the share of new words.
 */
export async function judgeSurprise(
  { before, segment }: StepArguments<'judge-surprise'>,
  similarity: Pick<SemanticSimilarity, 'vectorsOf'> | null,
  scale: SurpriseScale,
): Promise<StepOutput<'judge-surprise'>> {
  if (before.length === 0) return { surprise: 0 };
  const earlier = before.slice(-REMEMBERED).map(({ text }) => text);
  const opening = segment.slice(0, OPENING_TURNS).map(({ text }) => text);
  if (similarity === null) return { surprise: wordSurprise(earlier, opening) };
  const vectors = await similarity.vectorsOf([...earlier, ...opening]);
  const [was, opens] = [vectors.slice(0, earlier.length), vectors.slice(earlier.length)];
  return { surprise: openingSurprise(was, opens, scale) };
}
