import type { EmbeddingProfile } from '../../src/domain/core/embedding-profile.ts';
import { cosine, sumOf } from '../../src/domain/core/vector.ts';
import { extendEvent } from '../../src/domain/segments/surprise.ts';

/** A conversation with its turns' vectors (of length 1). A boundary is the index of a turn that opens a topic. */
export type MeasuredTalk = {
  vectors: readonly Float32Array[];
  boundaries: readonly number[];
};

/** The measured scale and thresholds, with figures that show how reliable they are. */
export type Calibration = Pick<EmbeddingProfile, 'surprise' | 'thresholds'> & {
  /** The median surprise of turns that open a topic. */
  surpriseAtBoundaries: number;
  /**
   * How well each threshold separates, 0.5 (not at all) to 1: the mean of the two shares that are on the right side.
   */
  separation: { topic: number; novelty: number };
  pairs: { topic: number; novelty: number; sameFact: number };
};

/** How many turns on each side of a gap are compared, by their mean. */
const SIDE = 2;
/** The share of pairs of turns from two conversations that must count as different facts. */
const UNRELATED_SHARE = 0.995;
/** The share of restated turns that may be missed. */
const RESTATED_SHARE = 0.05;

/**
 * Measures the scale of surprise and the thresholds of an embedding model, from conversations with labelled topics and from
 * restated turns.
 * - surprise: 1 − cosine of a turn and the decaying mean of its segment so far; the median and the 95th percentile of turns
 *   inside a topic
 * - topic: the cosine of the two turns before and the two turns after a gap; the best cut between gaps inside a topic and
 *   boundaries
 * - novelty: the cosine of the means of two runs of turns; the best cut between halves of one topic and topics of two
 *   conversations
 * - sameFact: the cosine that one in 200 pairs of turns from two conversations exceeds, or that 19 in 20 restated turns
 *   exceed, whichever is lower: asking the reasoner once too often is better than storing a fact twice
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

/** Returns the cosines of the halves of each topic, and of each topic with one of the next conversation. */
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
  const other = topics.flatMap((current, index) => {
    const next = topics[(index + 1) % topics.length] ?? [];
    return current === next
      ? []
      : current.flatMap((topic, place) => {
          const foreign = next[place % next.length];
          return topic.length >= SIDE && foreign && foreign.length >= SIDE
            ? [cosine(sumOf(half(topic)), sumOf(half(foreign)))]
            : [];
        });
  });
  return { same, other };
}

/** Shortens a topic to half, so that it is as long as the halves it is compared with. */
const half = <T>(topic: readonly T[]): readonly T[] =>
  topic.slice(0, Math.max(SIDE, topic.length >> 1));

/** Returns the cosines of each turn with one turn of each of the next three conversations. */
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

/** Returns the value that best separates `high` from `low`: the mean of the shares on the right side is highest. */
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

/** Returns the value below which a share of the values lies; NaN without values. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
