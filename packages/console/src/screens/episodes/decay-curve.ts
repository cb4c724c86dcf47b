const DAY = 86_400_000;
const STEPS = 24;

/** A point of a forgetting curve. */
export type CurvePoint = { at: number; share: number };

type Reviewed = {
  endedAt: string;
  stability?: number | null | undefined;
  reviews: readonly { at: string; before: { stability: number } }[];
};

/**
 * The forgetting curve before the latest review. All curves have one shape, and only their stability differs: between two
 * reviews it is the current curve, stretched in time by the ratio of stabilities.
 * @param curve the current curve, one point a day
 */
export function pastCurve(
  { endedAt, stability, reviews }: Reviewed,
  curve: readonly { day: number; retrievability: number }[],
): CurvePoint[] {
  let from = Date.parse(endedAt);
  return [...reviews].reverse().flatMap(({ at, before }) => {
    const start = from;
    const length = Math.max(0, Date.parse(at) - start);
    from = Math.max(start, Date.parse(at));
    return Array.from({ length: STEPS + 1 }, (_, step) => {
      const passed = (length * step) / STEPS;
      const days = (passed / DAY) * ((stability ?? 1) / before.stability);
      return { at: start + passed, share: shareAt(curve, days) };
    });
  });
}

/** The probability of recall some days after a curve of one point a day begins. */
export function shareAt(curve: readonly { retrievability: number }[], days: number): number {
  const place = Math.min(days, curve.length - 1);
  const low = curve[Math.floor(place)]?.retrievability ?? 1;
  const high = curve[Math.ceil(place)]?.retrievability ?? low;
  return low + (high - low) * (place - Math.floor(place));
}
