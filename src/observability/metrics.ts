import { Counter, Histogram, Registry } from 'prom-client';

/** What is counted, for Prometheus. Labels never hold a user's name or words. */
export type Metrics = {
  /** The text of /metrics. */
  text(): Promise<string>;
  contentType: string;
  modelCall(call: { step: string; model: string; outcome: 'ok' | 'failed'; seconds: number }): void;
  modelTokens(
    step: string,
    model: string,
    tokens: Record<'prompt' | 'cached' | 'completion', number>,
  ): void;
  parked(step: string): void;
};

export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const calls = new Histogram({
    name: 'mnemograph_model_call_seconds',
    help: 'Requests to models, repetitions included, by step, model and outcome.',
    labelNames: ['step', 'model', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const tokens = new Counter({
    name: 'mnemograph_model_tokens_total',
    help: 'Tokens of requests to models; "cached" is a part of "prompt".',
    labelNames: ['step', 'model', 'kind'],
    registers,
  });
  const parks = new Counter({
    name: 'mnemograph_jobs_parked_total',
    help: "Steps put off because a model's server could not be asked.",
    labelNames: ['step'],
    registers,
  });
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    modelCall: ({ seconds, ...labels }) => calls.observe(labels, seconds),
    modelTokens(step, model, counts) {
      for (const [kind, count] of Object.entries(counts)) tokens.inc({ step, model, kind }, count);
    },
    parked: (step) => parks.inc({ step }),
  };
}
