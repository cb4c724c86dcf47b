import { Counter, Histogram, type Registry } from 'prom-client';

/** Histogram buckets for scores from 0 to 1. */
const SCORES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Creates the metrics of decisions about facts and episodes (requirements 15.6). */
export function decisionMetrics(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const semantic = {
    created: counter('mnemograph_semantic_creates_total', 'New facts, by category.', ['category']),
    updated: counter(
      'mnemograph_semantic_updates_total',
      'Facts that superseded another one, by category.',
      ['category'],
    ),
  };
  const episodic = {
    CREATED: counter(
      'mnemograph_episodic_creates_total',
      'Segments that became episodes, by reason.',
      ['reason'],
    ),
    MERGED: counter(
      'mnemograph_episodic_merges_total',
      'Segments that were merged into an earlier episode, by reason.',
      ['reason'],
    ),
    SKIPPED: counter(
      'mnemograph_episodic_skips_total',
      'Segments that were skipped and became no episode, by reason.',
      ['reason'],
    ),
  };
  const similarity = histogram(
    'mnemograph_similarity_scores',
    'Similarity (0-1) of a new fact or segment to the nearest existing fact or episode.',
    ['of'],
    SCORES,
  );
  const notability = histogram(
    'mnemograph_notability_scores',
    'Notability of segments, 0-1.',
    [],
    SCORES,
  );
  const latency = histogram(
    'mnemograph_decision_latencies_seconds',
    'Time until a decision was stored: "semantic" for facts, "episodic" for a segment including its description.',
    ['decision'],
    SECONDS,
  );
  return {
    fact: (outcome: keyof typeof semantic, category: string) => semantic[outcome].inc({ category }),
    episode: (outcome: keyof typeof episodic, reason: string) => episodic[outcome].inc({ reason }),
    similarity: (of: 'fact' | 'episode', score: number) => similarity.observe({ of }, score),
    notability: (score: number) => notability.observe(score),
    decided: (decision: 'semantic' | 'episodic', seconds: number) =>
      latency.observe({ decision }, seconds),
  };
}
