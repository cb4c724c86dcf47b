import { Counter, Histogram, type Registry } from 'prom-client';

/** Scores from 0 to 1. */
const SCORES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What is decided about facts and episodes (requirements 15.6). */
export function decisionMetrics(registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const semantic = {
    created: counter('mnemograph_semantic_creates_total', 'Facts that were new, by category.', [
      'category',
    ]),
    updated: counter(
      'mnemograph_semantic_updates_total',
      "Facts that took another one's place, by category.",
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
      'Segments that went into earlier episodes, by reason.',
      ['reason'],
    ),
    SKIPPED: counter(
      'mnemograph_episodic_skips_total',
      'Segments that became no episode, by reason.',
      ['reason'],
    ),
  };
  const similarity = histogram(
    'mnemograph_similarity_scores',
    'Likeness of what is new to the nearest that is known, 0-1, of facts and of episodes.',
    ['of'],
    SCORES,
  );
  const notability = histogram(
    'mnemograph_notability_scores',
    'How much segments were worth an episode, 0-1.',
    [],
    SCORES,
  );
  const latency = histogram(
    'mnemograph_decision_latencies_seconds',
    'How long a decision took until it was stored: "semantic" about facts, "episodic" about a segment with its description.',
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
