import { findBoundaries } from '../../../src/reasoner/extractive/find-boundaries.ts';

const START = Date.parse('2026-01-05T09:00:00Z');
const SPACING = 60_000;

/**
 * Where the segmentation step cuts a conversation whose utterances come from USER and ASSISTANT in turn, a
 * minute apart. The one place to change when the server's windows are to be measured too.
 */
export async function segmentAsServed(
  utterances: readonly string[],
  vectors: readonly Float32Array[],
): Promise<number[]> {
  const turns = utterances.map((text, place) => ({
    role: place % 2 === 0 ? ('USER' as const) : ('ASSISTANT' as const),
    speaker: null,
    text,
    occurredAt: new Date(START + place * SPACING),
  }));
  const known = new Map(utterances.map((text, place) => [text, vectors[place] as Float32Array]));
  const vectorsOf = async (texts: readonly string[]) =>
    texts.map((text) => known.get(text) as Float32Array);
  const { boundaries } = await findBoundaries({ turns }, { vectorsOf });
  return boundaries.map(({ index }) => index);
}
