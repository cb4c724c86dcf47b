import type { TurnCandidate } from '../domain/ranking/candidate.ts';
import { choose } from '../domain/ranking/choose.ts';
import { byScore, type Scored } from '../domain/ranking/scored.ts';
import { type Candidates, LEADING } from './find-candidates.ts';

/** What is worth showing. */
export type Chosen = {
  candidates: Candidates;
  /** What becomes hits, best first. */
  best: readonly Scored[];
  /** The turns that answer best, best first, whether they are hits or not; none where episodes do not show them. */
  leading: readonly TurnCandidate[];
};

/**
 * Recall's fifth stage: the best of all kinds, within their quotas. Facts that are known are not found again.
 * @param most hits of a question that does not say how many, and how many of them are facts
 */
export function chooseHits(
  candidates: Candidates,
  scored: readonly Scored[],
  most: { first: number; mostFacts: number },
): Chosen {
  const { intent, isMessage, detail, first } = candidates.search.question;
  const known = new Set(candidates.known.facts.map(({ id }) => id));
  const unknown = scored.filter(
    ({ kind, candidate }) => kind !== 'FACT' || !known.has(candidate.id),
  );
  const best = choose(unknown, intent, { ...most, first: first ?? most.first });
  const leading = isMessage || detail !== 'AUTO' ? [] : leadingOf(scored);
  return { candidates, best, leading };
}

/** The turns that answer best; the search looks for at least as many. */
const leadingOf = (scored: readonly Scored[]): TurnCandidate[] =>
  scored
    .filter((one) => one.kind === 'TURN')
    .sort(byScore)
    .slice(0, LEADING)
    .map(({ candidate }) => candidate);
