import type { TurnCandidate } from '../domain/ranking/candidate.ts';
import { choose } from '../domain/ranking/choose.ts';
import { byScore, type Scored } from '../domain/ranking/scored.ts';
import { type Candidates, LEADING } from './find-candidates.ts';

/** The candidates that were chosen to be shown. */
export type Chosen = {
  candidates: Candidates;
  /** How many hits there may be, how many facts among them, and how similar to the question a fact must be: see `isRelated`. */
  limits: { first: number; mostFacts: number; related: number };
  /** The candidates that become hits, best first. */
  best: readonly Scored[];
  /** The best turns, whether they are hits or not, for showing them with episodes; empty if episodes show no matching turns. */
  leading: readonly TurnCandidate[];
};

/**
 * Recall's fifth stage: chooses the best candidates of all kinds, within their quotas. Known facts are not repeated.
 * @param most the number of hits if the question does not name one, the most facts among them, and the similarity from which a
 *   fact without a word of the question is related to it
 */
export function chooseHits(
  candidates: Candidates,
  scored: readonly Scored[],
  most: { first: number; mostFacts: number; related: number },
): Chosen {
  const { intent, isMessage, detail, first } = candidates.search.question;
  const limits = { ...most, first: first ?? most.first };
  const related = withoutKnown(candidates, scored).filter((one) =>
    isRelated(one, { isMessage, related: most.related }),
  );
  const best = choose(related, intent, limits);
  const leading = isMessage || detail !== 'AUTO' ? [] : leadingOf(scored);
  return { candidates, limits, best, leading };
}

/** The scored candidates without the known facts, which are given anyway. */
export function withoutKnown({ known }: Candidates, scored: readonly Scored[]): Scored[] {
  const ids = new Set(known.facts.map(({ id }) => id));
  return scored.filter(({ kind, candidate }) => kind !== 'FACT' || !ids.has(candidate.id));
}

/**
 * Whether a candidate may be a hit of an answer. A fact that shares no word with the question must be similar to it: else every
 * answer would be filled with facts. A prompt takes all, by score: what standing facts say may matter to any message.
 */
export const isRelated = (
  { kind, bm25, similarity }: Pick<Scored, 'kind' | 'bm25' | 'similarity'>,
  { isMessage, related }: { isMessage: boolean; related: number },
): boolean => isMessage || kind !== 'FACT' || bm25 > 0 || (similarity ?? 0) >= related;

/** The best turns; the search finds at least this many. */
const leadingOf = (scored: readonly Scored[]): TurnCandidate[] =>
  scored
    .filter((one) => one.kind === 'TURN')
    .sort(byScore)
    .slice(0, LEADING)
    .map(({ candidate }) => candidate);
