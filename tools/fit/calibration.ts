import type { EmbeddingProfile } from '../../src/domain/core/embedding-profile.ts';
import { cosine, sumOf } from '../../src/domain/core/vector.ts';
import { extendEvent } from '../../src/domain/segments/surprise.ts';

/** A conversation with its turns' vectors (length 1); a boundary is the place of a turn that opens a topic. */
export type MeasuredTalk = {
  vectors: readonly Float32Array[];
  boundaries: readonly number[];
};

/** What the measured scale and thresholds rest on, to be read beside them. */
export type Calibration = Pick<EmbeddingProfile, 'surprise' | 'thresholds'> & {
  /** Surprise as a topic opens: the median. */
  surpriseAtBoundaries: number;
  /**
   * How well each threshold separates, 0.5 (not at all) to 1: the mean of the two shares that lie on
   * the right side of it.
   */
  separation: { topic: number; novelty: number };
  pairs: { topic: number; novelty: number; sameFact: number };
};

/** Turns on each side of a place, compared by their mean. */
const SIDE = 2;
/** Turns of two conversations are hardly ever the same statement. */
const UNRELATED_SHARE = 0.995;
/** Nearly all restated turns are to be recognised. */
const RESTATED_SHARE = 0.05;

/**
 * Measures the scale of surprise and the thresholds of an embedding model from conversations whose
 * topics are known, and from turns with the same words restated.
 * - surprise: 1 − cosine of a turn and the decaying mean of its segment so far; median and 95th percentile
 *   of the turns inside a topic
 * - topic: the cosine of the two turns before a place and the two from it on; best cut between the
 *   places inside a topic and the boundaries
 * - novelty: the cosine of two means of turns; best cut between the halves of one topic and topics
 *   of two conversations
 * - sameFact: what one in 200 pairs of turns from two conversations exceeds, or what 19 in 20
 *   restated turns exceed, if that is lower: asking once too often beats storing a fact twice
 */
export function calibrate(
  talks: readonly MeasuredTalk[],
  restated: readonly (readonly [Float32Array, Float32Array])[],
): Calibration {
  const places = talks.map(placesOf);
  const calm = places.flat().filter((place) => !place.opens && place.surprise !== null);
  const opening = places.flat().filter((place) => place.opens);
  const inside = calm.flatMap(({ surprise }) => surprise ?? []);
  const topic = bestCut(
    places.flat().flatMap(({ sides, opens }) => (sides === null || opens ? [] : [sides])),
    opening.flatMap(({ sides }) => sides ?? []),
  );
  const { same, other } = stretchesOf(talks);
  const novelty = bestCut(same, other);
  const unrelated = unrelatedPairs(talks);
  const alike = restated.map(([turn, again]) => cosine(turn, again));
  const sameFact = Math.min(
    percentile(unrelated, UNRELATED_SHARE),
    ...(alike.length > 0 ? [percentile(alike, RESTATED_SHARE)] : []),
  );
  return {
    surprise: { typical: percentile(inside, 0.5), high: percentile(inside, 0.95) },
    surpriseAtBoundaries: percentile(
      opening.flatMap(({ surprise }) => surprise ?? []),
      0.5,
    ),
    thresholds: {
      topic: topic.at,
      novelty: novelty.at,
      sameFact,
    },
    separation: { topic: topic.separation, novelty: novelty.separation },
    pairs: {
      topic: places.flat().length,
      novelty: same.length + other.length,
      sameFact: unrelated.length + alike.length,
    },
  };
}

type Place = { opens: boolean; surprise: number | null; sides: number | null };

function placesOf({ vectors, boundaries }: MeasuredTalk): Place[] {
  const opening = new Set(boundaries);
  let model: Float32Array | null = null;
  return vectors.flatMap((vector, place) => {
    const opens = opening.has(place);
    const surprise = model && 1 - cosine(model, vector);
    model = extendEvent(opens ? null : model, vector);
    if (place === 0) return [];
    const before = vectors.slice(Math.max(0, place - SIDE), place);
    const after = vectors.slice(place, place + SIDE);
    const whole = before.length === SIDE && after.length === SIDE;
    return [{ opens, surprise, sides: whole ? cosine(sumOf(before), sumOf(after)) : null }];
  });
}

/** Cosines of the halves of each topic, and of each topic with one of the next conversation. */
function stretchesOf(talks: readonly MeasuredTalk[]): { same: number[]; other: number[] } {
  const topics = talks.map(({ vectors, boundaries }) => {
    const starts = [0, ...boundaries.filter((place) => place > 0), vectors.length];
    return starts.slice(1).map((end, index) => vectors.slice(starts[index], end));
  });
  const halves = topics.flat().filter((topic) => topic.length >= 2 * SIDE);
  const same = halves.map((topic) => {
    const middle = topic.length >> 1;
    return cosine(sumOf(topic.slice(0, middle)), sumOf(topic.slice(middle)));
  });
  const other = topics.flatMap((own, index) => {
    const next = topics[(index + 1) % topics.length] ?? [];
    return own === next
      ? []
      : own.flatMap((topic, place) => {
          const foreign = next[place % next.length];
          return topic.length >= SIDE && foreign && foreign.length >= SIDE
            ? [cosine(sumOf(half(topic)), sumOf(half(foreign)))]
            : [];
        });
  });
  return { same, other };
}

/** As long as the halves that they are compared with. */
const half = <T>(topic: readonly T[]): readonly T[] =>
  topic.slice(0, Math.max(SIDE, topic.length >> 1));

/** Each turn with a few of the conversations that follow. */
function unrelatedPairs(talks: readonly MeasuredTalk[]): number[] {
  return talks.flatMap(({ vectors }, index) =>
    [1, 2, 3].flatMap((step) => {
      const foreign = talks[(index + step) % talks.length]?.vectors ?? [];
      if (foreign.length === 0 || step >= talks.length) return [];
      return vectors.map((vector, place) =>
        cosine(vector, foreign[(place * 7 + step) % foreign.length] as Float32Array),
      );
    }),
  );
}

/** The value above which most of `high` and below which most of `low` lies: the best mean of both shares. */
export function bestCut(
  high: readonly number[],
  low: readonly number[],
): { at: number; separation: number } {
  const values = [
    ...high.map((value) => ({ value, high: true })),
    ...low.map((value) => ({ value, high: false })),
  ].sort((a, b) => a.value - b.value);
  let [belowHigh, belowLow] = [0, 0];
  let best = { at: Number.NaN, separation: 0 };
  values.forEach((current, index) => {
    const separation = (1 - belowHigh / high.length + belowLow / low.length) / 2;
    const previous = values[index - 1] ?? current;
    if (separation > best.separation) {
      best = { at: (previous.value + current.value) / 2, separation };
    }
    if (current.high) belowHigh += 1;
    else belowLow += 1;
  });
  return best;
}

/** The value below which a share of the values lies; NaN of none. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
