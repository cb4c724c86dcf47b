import {
  algorithmicAssessment,
  algorithmicScore,
  decideLink,
  type LinkingParts,
  type LinkingWeights,
} from '../../src/domain/links/linking.ts';
import { metricsOf } from '../../src/domain/links/linking-metrics.ts';
import type { LinkingPair } from './linking-pairs.ts';

/** A link decision as the API returns it. */
export type ServedLink = {
  id: string;
  verdict: 'LINK' | 'DONT_LINK';
  fusedScore: number;
  algorithmicScore: number;
  parts: LinkingParts;
  weights: LinkingWeights;
  reasonerRelated: boolean;
  reasonerConfidence: number;
};

/** A labelled pair, and the server's decision on it; null if the server did not compare the two. */
export type JudgedPair = { kind: LinkingPair['kind']; link: ServedLink | null };

const belongs = ({ kind }: Pick<JudgedPair, 'kind'>): boolean => kind === 'positive';
const fusedOf = ({ link }: JudgedPair): number => link?.fusedScore ?? 0;

/** Returns the area under the ROC curve: how often a pair that belongs together scores higher than another; ties count half. */
export function areaUnderCurve(scored: readonly { score: number; belongs: boolean }[]): number {
  const order = [...scored].sort((a, b) => a.score - b.score);
  let [below, won, from] = [0, 0, 0];
  while (from < order.length) {
    let to = from;
    while (order[to]?.score === order[from]?.score && to < order.length) to += 1;
    const ties = order.slice(from, to);
    const negatives = ties.filter((one) => !one.belongs).length;
    won += (ties.length - negatives) * (below + negatives / 2);
    below += negatives;
    from = to;
  }
  return won / (below * (scored.length - below));
}

/** Returns the highest recall that any threshold of the fused score gives with at least this precision. */
function recallAtPrecision(pairs: readonly JudgedPair[], precision: number): number {
  const order = [...pairs].sort((a, b) => fusedOf(b) - fusedOf(a));
  const all = pairs.filter(belongs).length;
  let [hits, most] = [0, 0];
  for (const [at, pair] of order.entries()) {
    if (belongs(pair)) hits += 1;
    if (hits / (at + 1) >= precision) most = hits / all;
  }
  return most;
}

/** Returns how accurate the server's verdicts are, and the share of linked pairs of each kind. */
export function scoreLinks(pairs: readonly JudgedPair[]) {
  const judged = pairs.map((pair) => ({
    linked: pair.link?.verdict === 'LINK',
    belongs: belongs(pair),
  }));
  const { f1, precision, recall } = metricsOf(judged);
  const ofKind = (kind: JudgedPair['kind']) => {
    const group = pairs.filter((pair) => pair.kind === kind);
    const linked = group.filter(({ link }) => link?.verdict === 'LINK').length;
    return { pairs: group.length, linked: group.length > 0 ? linked / group.length : 0 };
  };
  return {
    auc: areaUnderCurve(pairs.map((pair) => ({ score: fusedOf(pair), belongs: belongs(pair) }))),
    f1,
    precision,
    recall,
    recallAtPrecision90: recallAtPrecision(pairs, 0.9),
    byKind: { positive: ofKind('positive'), easy: ofKind('easy'), hard: ofKind('hard') },
  };
}

const THRESHOLDS = Array.from({ length: 50 }, (_, step) => (50 + step) / 100);

/** Returns the highest F1 that any threshold gives, computed from the parts that the server returned. */
export function bestF1(pairs: readonly JudgedPair[], weights: LinkingWeights): number {
  const under = (threshold: number) =>
    metricsOf(
      pairs.map((pair) => ({
        belongs: belongs(pair),
        linked: pair.link !== null && verdictAt(pair.link, threshold, weights) === 'LINK',
      })),
    ).f1;
  return Math.max(...THRESHOLDS.map(under));
}

function verdictAt(link: ServedLink, threshold: number, weights: LinkingWeights) {
  const { score } = algorithmicScore(link.parts, weights);
  const reasoner = { related: link.reasonerRelated, confidence: link.reasonerConfidence };
  return decideLink(algorithmicAssessment(score, threshold), reasoner).verdict;
}
