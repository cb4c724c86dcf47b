import { seededRandom } from '../../support/random.ts';
import type { Dialogue, Embedded } from './dialogues.ts';

const SHORTEST = 3;
const LONGEST = 12;

/**
 * Returns parts of a conversation to fit on besides the whole: one of its topics, and a window of 3-12 turns from the opening
 * of a topic. Without them, a fit on long conversations of many topics would cut the server's short windows too often, which
 * are mostly about one thing. The same seed gives the same parts.
 */
export function windowsOf(dialogue: Embedded<Dialogue>, seed: number): Embedded<Dialogue>[] {
  const random = seededRandom(seed);
  const turns = dialogue.utterances.length;
  const starts = [0, ...dialogue.boundaries];
  const topic = Math.floor(random() * starts.length);
  const start = starts[Math.floor(random() * starts.length)] ?? 0;
  const length = SHORTEST + Math.floor(random() * (LONGEST - SHORTEST + 1));
  return [
    cut(dialogue, starts[topic] ?? 0, starts[topic + 1] ?? turns),
    cut(dialogue, start, Math.min(turns, start + length)),
  ].filter(({ utterances }) => utterances.length >= SHORTEST);
}

const cut = (dialogue: Embedded<Dialogue>, from: number, to: number): Embedded<Dialogue> => ({
  ...dialogue,
  utterances: dialogue.utterances.slice(from, to),
  vectors: dialogue.vectors.slice(from, to),
  boundaries: dialogue.boundaries.filter((at) => at > from && at < to).map((at) => at - from),
});
