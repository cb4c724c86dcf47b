import type { TurnCandidate } from '../domain/ranking/candidate.ts';
import { choose } from '../domain/ranking/choose.ts';
import { byScore, type Scored } from '../domain/ranking/scored.ts';
import { type Candidates, LEADING } from './find-candidates.ts';

/** The candidates that were chosen to be shown. */
export type Chosen = {
  candidates: Candidates;
  /** How many hits there may be, and how many facts among them. */
  limits: { first: number; mostFacts: number };
  /** The candidates that become hits, best first. */
  best: readonly Scored[];
  /** The best turns, whether they are hits or not, for showing them with episodes; empty if episodes show no matching turns. */
  leading: readonly TurnCandidate[];
};

/**
 * Recall's fifth stage: chooses the best candidates of all kinds, within their quotas. Known facts are not repeated.
 * @param most the number of hits if the question does not name one, and the most facts among them
 */
export function chooseHits(
  candidates: Candidates,
  scored: readonly Scored[],
  most: { first: number; mostFacts: number },
): Chosen {
  const { intent, isMessage, detail, first } = candidates.search.question;
  const limits = { mostFacts: most.mostFacts, first: first ?? most.first };
  const best = choose(withoutKnown(candidates, scored), intent, limits);
  const leading = isMessage || detail !== 'AUTO' ? [] : leadingOf(scored);
  return { candidates, limits, best, leading };
}

/** The scored candidates without the known facts, which are given anyway. */
export function withoutKnown({ known }: Candidates, scored: readonly Scored[]): Scored[] {
  const ids = new Set(known.facts.map(({ id }) => id));
  return scored.filter(({ kind, candidate }) => kind !== 'FACT' || !ids.has(candidate.id));
}

/** The best turns; the search finds at least this many. */
const leadingOf = (scored: readonly Scored[]): TurnCandidate[] =>
  scored
    .filter((one) => one.kind === 'TURN')
    .sort(byScore)
    .slice(0, LEADING)
    .map(({ candidate }) => candidate);
