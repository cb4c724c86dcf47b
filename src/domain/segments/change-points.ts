import { type BlockSums, blockSums } from './gap-statistics.ts';

/** How a range of turns is scored as one topic. */
export type ChangePointSetting = {
  /** The weight of shared words, relative to the similarity of the vectors. */
  words: number;
  /** The weight of similarity inside a topic. */
  coherence: number;
  /** The cost of each topic. */
  topic: number;
  /** The additional cost of a topic of two turns; twice that for one turn. */
  short: number;
};

/** The similarity of turns. The functions take the indexes of two turns. */
export type Likeness = {
  turns: number;
  /** The dot product of the turns' vectors minus their mean. */
  vectors: (a: number, b: number) => number;
  /** Overlap of the words, 0-1. */
  words: (a: number, b: number) => number;
  /** The weight of a turn; turns with more content weigh more. */
  weight: (turn: number) => number;
};

/** The longest topic that is considered, in turns. */
const LONGEST = 24;
/** Keeps the log odds of a certain gap finite. */
const SOFT = 0.003;

const addLogs = (a: number, b: number): number => {
  const high = Math.max(a, b);
  return high === Number.NEGATIVE_INFINITY ? high : high + Math.log1p(Math.exp(-Math.abs(a - b)));
};

/**
 * The log odds that a topic begins at each gap, over all ways to cut the talk. The weight of a way is
 * e^(Σ coherence × gain − costs), where gain is the similarity inside a topic (kernel change-point detection, Harchaoui &
 * Cappé 2007; summed by the forward-backward algorithm).
 */
export function changePoints(likeness: Likeness, setting: ChangePointSetting): number[] {
  const { turns } = likeness;
  const score = scorer(likeness, setting);
  const forward = new Float64Array(turns + 1).fill(Number.NEGATIVE_INFINITY);
  const backward = new Float64Array(turns + 1).fill(Number.NEGATIVE_INFINITY);
  forward[0] = 0;
  backward[turns] = 0;
  for (let end = 1; end <= turns; end++) {
    for (let start = Math.max(0, end - LONGEST); start < end; start++) {
      const through = (forward[start] ?? 0) + score(start, end);
      forward[end] = addLogs(forward[end] ?? 0, through);
    }
  }
  for (let start = turns - 1; start >= 0; start--) {
    for (let end = start + 1; end <= Math.min(turns, start + LONGEST); end++) {
      const through = (backward[end] ?? 0) + score(start, end);
      backward[start] = addLogs(backward[start] ?? 0, through);
    }
  }
  const whole = forward[turns] ?? 0;
  return Array.from({ length: turns - 1 }, (_, gap) => {
    const share = Math.exp((forward[gap + 1] ?? 0) + (backward[gap + 1] ?? 0) - whole);
    return Math.log((share + SOFT) / (1 - Math.min(share, 1) + SOFT));
  });
}

function scorer(likeness: Likeness, setting: ChangePointSetting) {
  const { turns, vectors, words, weight } = likeness;
  const squares = [0];
  let spread = 0;
  for (let turn = 0; turn < turns; turn++) {
    squares.push((squares[turn] ?? 0) + weight(turn) ** 2);
    spread += vectors(turn, turn) * weight(turn) ** 2;
  }
  // Scaled by the conversation's own spread, because the range of cosines differs between models.
  const unit = Math.max(spread / (squares[turns] ?? 1), 1e-9);
  const sum: BlockSums = blockSums(turns, (a, b) => {
    const both = a === b ? 0 : setting.words * words(a, b);
    return (vectors(a, b) / unit + both) * weight(a) * weight(b);
  });
  return (start: number, end: number): number => {
    const size = (squares[end] ?? 0) - (squares[start] ?? 0);
    const gain = sum(start, end, start, end) / size;
    const inner = start > 0 && end < turns;
    const short = inner ? Math.max(0, 3 - (end - start)) * setting.short : 0;
    return setting.coherence * gain - setting.topic - short;
  };
}
