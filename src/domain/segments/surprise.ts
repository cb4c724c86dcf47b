import { cosine } from '../core/vector.ts';
import { readWords } from './boundary-words.ts';

/**
 * The raw surprise of single turns inside a topic with an embedding model, as measured by `calibrate`: the median, and the
 * value that one turn in twenty exceeds.
 */
export type SurpriseScale = { typical: number; high: number };

/** The weight of a turn in the event model, relative to the turn after it. */
const DECAY = 0.7;
/** The two points of the scale, 0-1 (requirements 4.13: 0.3 minor gain, 0.7 significant pivot). */
const TYPICAL = 0.3;
const HIGH = 0.7;

/** The event model after one more turn; null = no turn yet. */
export const extendEvent = (model: Float32Array | null, vector: Float32Array): Float32Array =>
  vector.map((value, at) => (model?.[at] ?? 0) * DECAY + value);

/** The decaying mean of the turns' vectors, not normalised; the last turn weighs most. */
export const eventModel = (before: readonly Float32Array[]): Float32Array =>
  before.reduce(extendEvent, new Float32Array(before[0]?.length ?? 0));

/**
 * The prediction error of event segmentation theory: 1 − cosine of the event model and a turn, as the mean over the opening
 * turns, 0-2. Turns are compared one by one, because the scale was measured on single turns.
 * @throws RangeError if there are no turns before or in the opening
 */
export function rawSurprise(
  before: readonly Float32Array[],
  opening: readonly Float32Array[],
): number {
  if (before.length === 0 || opening.length === 0) {
    throw new RangeError('Surprise needs turns before and after.');
  }
  const model = eventModel(before);
  const errors = opening.map((vector) => 1 - cosine(model, vector));
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

/** Scales raw surprise to 0-1, comparable between models: linear, with `typical` at 0.3 and `high` at 0.7. */
export function surpriseOf(raw: number, { typical, high }: SurpriseScale): number {
  const unit = Math.max(high - typical, 1e-6);
  const surprise = TYPICAL + ((raw - typical) / unit) * (HIGH - TYPICAL);
  return Math.min(1, Math.max(0, surprise));
}

/** The turns that an event model needs; after fewer, surprise is 0. */
const SETTLED = 3;

/**
 * The surprise of every turn, 0-1, relative to the turns since the last start of a segment; 0 while the event model has too
 * few turns.
 * @param starts the indexes at which segments start, ascending
 */
export function turnSurprises(
  vectors: readonly Float32Array[],
  starts: readonly number[],
  scale: SurpriseScale,
): number[] {
  let start = 0;
  return vectors.map((vector, index) => {
    if (starts.includes(index)) start = index;
    if (index - start < SETTLED) return 0;
    return surpriseOf(rawSurprise(vectors.slice(start, index), [vector]), scale);
  });
}

/** The first turns of a segment, which are compared with the turns before. Later turns are expected after these. */
export const OPENING_TURNS = 3;

/** The highest surprise of a mere change of topic. A key moment needs momentous news (`newsIn`) or a model's judgement. */
const PIVOT = HIGH - 0.05;

/** The surprise of a segment's opening after the turns before, 0 to `PIVOT`; 0 without turns before. */
export function openingSurprise(
  before: readonly Float32Array[],
  segment: readonly Float32Array[],
  scale: SurpriseScale,
): number {
  if (before.length === 0 || segment.length === 0) return 0;
  return Math.min(PIVOT, surpriseOf(rawSurprise(before, segment.slice(0, OPENING_TURNS)), scale));
}

/** The share of the opening's terms that did not occur before, scaled to stay below 0.7; 0.3 if it has no terms. */
export function wordSurprise(before: readonly string[], opening: readonly string[]): number {
  const { terms } = readWords([...before, ...opening]);
  const earlier = new Set(terms.slice(0, before.length).flatMap((turn) => [...turn]));
  const opened = [...new Set(terms.slice(before.length).flatMap((turn) => [...turn]))];
  if (opened.length === 0) return TYPICAL;
  return PIVOT * (opened.filter((term) => !earlier.has(term)).length / opened.length);
}
