import type { z } from 'zod';
import {
  OPENING,
  openingSurprise,
  type SurpriseScale,
  wordSurprise,
} from '../../domain/segments/surprise.ts';
import type { StepOutput, judgeSurprise as shapes } from '../reasoner.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';

/** What an event model still holds of: a turn 20 turns back counts less than a thousandth. */
const REMEMBERED = 20;

/**
 * How unexpected a segment's opening is after what was going on, 0-1 on the embedder's `scale`; 0 with
 * nothing before it. Without vectors by the words that were not said before.
 */
export async function judgeSurprise(
  { before, segment }: z.output<(typeof shapes)['input']>,
  similarity: Pick<SemanticSimilarity, 'vectorsOf'> | null,
  scale: SurpriseScale,
): Promise<StepOutput<'judge-surprise'>> {
  if (before.length === 0) return { surprise: 0 };
  const known = before.slice(-REMEMBERED).map(({ text }) => text);
  const opening = segment.slice(0, OPENING).map(({ text }) => text);
  if (similarity === null) return { surprise: wordSurprise(known, opening) };
  const vectors = await similarity.vectorsOf([...known, ...opening]);
  const [was, opens] = [vectors.slice(0, known.length), vectors.slice(known.length)];
  return { surprise: openingSurprise(was, opens, scale) };
}
