import { findBoundaries } from '../../../src/reasoner/extractive/find-boundaries.ts';

const START = Date.parse('2026-01-05T09:00:00Z');
const SPACING = 60_000;

/**
 * Returns the boundaries that the segmentation step finds in a conversation, whose utterances come from USER and ASSISTANT
 * alternately, a minute apart. It does not model the server's windows.
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
  const vectorByText = new Map(
    utterances.map((text, place) => [text, vectors[place] as Float32Array]),
  );
  const vectorsOf = async (texts: readonly string[]) =>
    texts.map((text) => vectorByText.get(text) as Float32Array);
  const { boundaries } = await findBoundaries({ turns }, { vectorsOf });
  return boundaries.map(({ index }) => index);
}
