import type { Scored } from '../domain/ranking/scored.ts';
import type { Hit } from './assemble.ts';
import type { Chosen } from './choose-hits.ts';
import type { Candidates } from './find-candidates.ts';

/** The stages of a recall, in order. */
export type StageName =
  | 'QUESTION'
  | 'SEARCH'
  | 'CANDIDATES'
  | 'SCORES'
  | 'CHOICE'
  | 'TEXTS'
  | 'BUDGET';

/** How long a stage took, in milliseconds. */
export type Lap = { name: StageName; ms: number };

/** What the stages of a recall handed on, and how long each took. */
export type Trace = {
  laps: readonly Lap[];
  candidates: Candidates;
  /** The candidates that were scored; unordered. */
  scored: readonly Scored[];
  chosen: Chosen;
  /** The hits before the token budget. */
  assembled: readonly Hit[];
  /** The hits of the answer. */
  hits: readonly Hit[];
};

/** Measures stages that follow each other. */
export function createStopwatch(): { laps: Lap[]; lap(name: StageName): void } {
  const laps: Lap[] = [];
  let since = performance.now();
  return {
    laps,
    lap(name) {
      const now = performance.now();
      laps.push({ name, ms: now - since });
      since = now;
    },
  };
}
