import { cosine } from '../core/vector.ts';
import { readWords } from './boundary-words.ts';

/**
 * What raw surprise an embedding model shows of single turns inside a topic, measured by
 * `calibrate`: the median, and what one turn in twenty exceeds.
 */
export type SurpriseScale = { typical: number; high: number };

/** What an older turn counts beside the one after it in the event model. */
const DECAY = 0.7;
/** Where the two points of the scale lie, 0-1 (requirements 4.13: 0.3 minor gain, 0.7 significant pivot). */
const TYPICAL = 0.3;
const HIGH = 0.7;

/** The event model after one more turn; null = nothing was said yet. */
export const extendEvent = (model: Float32Array | null, vector: Float32Array): Float32Array =>
  vector.map((value, at) => (model?.[at] ?? 0) * DECAY + value);

/** The decaying mean of the turns' vectors, the last counting most; any length. */
export const eventModel = (before: readonly Float32Array[]): Float32Array =>
  before.reduce(extendEvent, new Float32Array(before[0]?.length ?? 0));

/**
 * Prediction error as in event segmentation theory: 1 − cosine of the event model and a turn, the
 * mean over the opening turns, 0-2. A mean of single turns, since the scale is one of single turns.
 * @throws RangeError without turns before or in the opening
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

/** Raw surprise as 0-1 that means the same with every model: `typical` is 0.3 and `high` 0.7, linear, cut off. */
export function surpriseOf(raw: number, { typical, high }: SurpriseScale): number {
  const unit = Math.max(high - typical, 1e-6);
  const surprise = TYPICAL + ((raw - typical) / unit) * (HIGH - TYPICAL);
  return Math.min(1, Math.max(0, surprise));
}

/** Turns that an event model needs before it expects anything: what follows fewer surprises nobody. */
const SETTLED = 3;

/**
 * The surprise of every turn, 0-1, after the turns since the last of the given starts of events (ascending
 * indices); 0 while the event model is not settled.
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

/** Turns of an event that are compared with what was going on: later ones are expected after these. */
export const OPENING = 3;

/** A plain change of subject is a pivot at most: what makes a key moment is what is told (`newsIn`), or what a model judges. */
const PIVOT = HIGH - 0.05;

/** How surprising an event's opening is after what was going on, 0 to `PIVOT`; 0 after nothing. */
export function openingSurprise(
  before: readonly Float32Array[],
  event: readonly Float32Array[],
  scale: SurpriseScale,
): number {
  if (before.length === 0 || event.length === 0) return 0;
  return Math.min(PIVOT, surpriseOf(rawSurprise(before, event.slice(0, OPENING)), scale));
}

/** Share of the opening's telling words that were not said before, scaled to stay below 0.7; 0.3 if it has none. */
export function wordSurprise(before: readonly string[], opening: readonly string[]): number {
  const { terms } = readWords([...before, ...opening]);
  const said = new Set(terms.slice(0, before.length).flatMap((own) => [...own]));
  const told = [...new Set(terms.slice(before.length).flatMap((own) => [...own]))];
  if (told.length === 0) return TYPICAL;
  return PIVOT * (told.filter((term) => !said.has(term)).length / told.length);
}
