import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { decisionMetrics } from './decision-metrics.ts';
import { jobMetrics } from './job-metrics.ts';
import { serverMetrics } from './server-metrics.ts';

/** The metrics for Prometheus. Labels never contain a user's name or words. */
export type Metrics = ReturnType<typeof createMetrics>;

export type ModelCall = { step: string; model: string; outcome: 'ok' | 'failed'; seconds: number };
type ModelTokens = Record<'prompt' | 'cached' | 'completion', number>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    /** Returns the response body of /metrics. */
    text: () => Registry.merge([processMetrics(), registry]).metrics(),
    contentType: registry.contentType,
    ...serverMetrics(registers),
    ...decisionMetrics(registers),
    ...jobMetrics(registers),
    ...modelMetrics(registers),
  };
}

function modelMetrics(registers: Registry[]) {
  const calls = new Histogram({
    name: 'mnemograph_model_call_seconds',
    help: 'Requests to models, retries included, by step, model and outcome.',
    labelNames: ['step', 'model', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const tokens = new Counter({
    name: 'mnemograph_model_tokens_total',
    help: 'Tokens of requests to models, by step, model and kind; "cached" tokens are also counted as "prompt".',
    labelNames: ['step', 'model', 'kind'],
    registers,
  });
  return {
    modelCall: ({ seconds, ...labels }: ModelCall) => calls.observe(labels, seconds),
    modelTokens(step: string, model: string, counts: ModelTokens) {
      for (const [kind, count] of Object.entries(counts)) tokens.inc({ step, model, kind }, count);
    },
  };
}

let processRegistry: Registry | undefined;

/**
 * The metrics of the whole process, such as event loop lag and garbage collection. One registry for all servers of the
 * process, created on first use: each would add its own observers.
 */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
