import OpenAI from 'openai';
import type { Control } from '../../openai/endpoint.ts';
import type { Meter } from '../../openai/meter.ts';
import { type ObservedCall, observeCall } from '../../openai/observe-call.ts';
import { tokenCount } from '../../openai/usage.ts';

export type PingOptions = {
  /** All models in use: a single one may be unavailable. */
  models: readonly string[];
  meter: Meter;
  observe: (call: ObservedCall) => void;
};

const STEP = 'ping';
const TOKENS = 1;
/** The limit for models that reason before they answer. */
const TOKENS_WITH_THOUGHTS = 64;

/** Requests one token from each model, to find out whether the server can be used now. */
export const createPing =
  ({ models, meter, observe }: PingOptions): Control =>
  (client, signal) =>
    Promise.all(
      models.map(async (model) => {
        const { usage } = await observeCall(observe, { step: STEP, model }, () =>
          ping(client, model, signal),
        );
        await meter.record(null, {
          step: STEP,
          model,
          calls: 1,
          promptTokens: tokenCount(usage?.prompt_tokens, () => TOKENS),
          cachedTokens: 0,
          completionTokens: tokenCount(usage?.completion_tokens, () => TOKENS),
        });
      }),
    );

async function ping(
  client: OpenAI,
  model: string,
  signal: AbortSignal,
): Promise<Partial<OpenAI.ChatCompletion>> {
  const body = { model, messages: [{ role: 'user' as const, content: 'ping' }] };
  const { completions } = client.chat;
  try {
    return (await completions.create({ ...body, max_tokens: TOKENS }, { signal })) ?? {};
  } catch (error) {
    if (!(error instanceof OpenAI.BadRequestError)) throw error;
    // Some models accept the limit only under this name.
    const limit = { max_completion_tokens: TOKENS_WITH_THOUGHTS };
    return (await completions.create({ ...body, ...limit }, { signal })) ?? {};
  }
}
