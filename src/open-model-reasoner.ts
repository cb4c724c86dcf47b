import type { Config } from './config/config.ts';
import type { ModelReasonerConfig } from './config/reasoner.ts';
import type { LoadingModel } from './domain/core/loading-model.ts';
import { createFairLine } from './language-threads/fair-line.ts';
import type { ModelNotice } from './local-models/model-thread.ts';
import type { Meter } from './openai/meter.ts';
import type { ObservedCall } from './openai/observe-call.ts';
import type { Reasoner } from './reasoner/reasoner.ts';

type Services = {
  config: Config;
  meter: Meter;
  observe: (call: ObservedCall) => void;
  clock: () => Date;
  /** Called while a local model is downloaded and loaded. */
  notice: ModelNotice;
  /** Registers a resource that is closed with the context. */
  closeLater: <T extends AsyncDisposable>(resource: T) => T;
};

/** A reasoner, and its model if this process loads it. */
type OpenReasoner = { reasoner: Reasoner; model: LoadingModel | null };

/**
 * Opens the reasoner that the settings name. The modules for models are large, so they are imported only when a model is
 * configured.
 * @param choice `given` overrides the settings; `builtIn` is used when the settings name no model
 * @throws InvalidSetting when a local model, or the package that it needs, is missing
 */
export async function openReasoner(
  { given, builtIn }: { given: Reasoner | undefined; builtIn: Reasoner },
  services: Services,
): Promise<OpenReasoner> {
  const { reasoner } = services.config;
  if (given || reasoner === null) return { reasoner: given ?? builtIn, model: null };
  return reasoner.kind === 'local'
    ? openLocal(reasoner, services)
    : { reasoner: await openOnServer(reasoner, services), model: null };
}

async function openLocal(
  settings: ModelReasonerConfig,
  { config, closeLater, ...services }: Services,
): Promise<OpenReasoner> {
  const { openLocalReasoner } = await import('./reasoner/local/open.ts');
  const timeout = config.limits.stepTimeout;
  const inLine = createFairLine();
  const opened = openLocalReasoner(settings, { ...services, ...config.local, timeout, inLine });
  closeLater(opened.model);
  return opened;
}

async function openOnServer(
  { steps, inputTokens, ...usual }: ModelReasonerConfig,
  { config, meter, observe, clock }: Services,
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
