import type { Config } from './config/config.ts';
import type { ModelReasonerConfig } from './config/reasoner.ts';
import type { Meter } from './openai/meter.ts';
import type { ObservedCall } from './openai/observe-call.ts';
import type { Reasoner } from './reasoner/reasoner.ts';

/** What speaks to models is loaded where one is configured: it is large. */
export async function openModelReasoner(
  { steps, inputTokens, ...usual }: ModelReasonerConfig,
  {
    config,
    meter,
    observe,
    clock,
  }: {
    config: Config;
    meter: Meter;
    observe: (call: ObservedCall) => void;
    clock: () => Date;
  },
): Promise<Reasoner> {
  const { createEndpoint } = await import('./openai/endpoint.ts');
  const { createOpenAiReasoner } = await import('./reasoner/openai/openai.ts');
  const { createPing } = await import('./reasoner/openai/ping.ts');
  const models = [...new Set([usual, ...steps.values()].map(({ model }) => model))];
  const control = createPing({ models, meter, observe });
  return createOpenAiReasoner({
    endpoint: createEndpoint({ ...config.model, control, clock }),
    meter,
    observe,
    clock,
    choose: (step) => steps.get(step) ?? usual,
    inputTokens,
  });
}
