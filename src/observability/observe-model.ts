import type { Metrics, ModelCall } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** Returns a function that records a finished request to a model in the metrics and as a span. */
export const observeModel =
  (metrics: Metrics, tracing: Tracing) =>
  (call: ModelCall): void => {
    metrics.modelCall(call);
    const { step, model, outcome, seconds } = call;
    const attributes = { 'gen_ai.request.model': model, 'mnemograph.step': step };
    tracing.ended({ name: `model ${step}`, kind: 'CLIENT', attributes }, seconds, outcome !== 'ok');
  };
