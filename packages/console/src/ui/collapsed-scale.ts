import { scaleLinear } from 'd3-scale';

type Span = { from: number; to: number };

/** Times to places on a line on which long idle times are short. */
export type CollapsedScale = {
  /** The place of a time, in pixels. */
  x: (time: number) => number;
  /** The stretches in which something happened, in pixels, with the time at which each begins. */
  stretches: readonly { at: number; left: number; right: number }[];
  width: number;
};

const HOUR = 3_600_000;
/** A longer silence is collapsed. */
const IDLE = 3 * HOUR;
const GAP = 18;
const SHORTEST = 56;

/**
 * Lays spans of time out on a line, the earliest first.
 * @param room the width to fill; the line is longer where the stretches need more
 */
export function collapsedScale(spans: readonly Span[], room: number): CollapsedScale {
  const stretches = stretchesOf(spans);
  const total = stretches.reduce((sum, { from, to }) => sum + (to - from), 0) || 1;
  const spare = Math.max(0, room - stretches.length * (SHORTEST + GAP));
  const domain: number[] = [];
  const range: number[] = [];
  let x = GAP / 2;
  const placed = stretches.map(({ from, to }) => {
    const left = x;
    const right = left + SHORTEST + (spare * (to - from)) / total;
    domain.push(from, Math.max(to, from + 1));
    range.push(left, right);
    x = right + GAP;
    return { at: from, left, right };
  });
  const scale = scaleLinear(domain, range).clamp(true);
  return { x: (time) => scale(time), stretches: placed, width: x };
}

function stretchesOf(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && from - last.to < IDLE) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}
