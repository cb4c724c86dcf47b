import OpenAI from 'openai';
import type { Control } from '../../openai/endpoint.ts';
import type { Meter } from '../../openai/meter.ts';
import { type ObservedCall, observeCall } from '../../openai/observe-call.ts';
import { tokenCount } from '../../openai/usage.ts';

export type PingOptions = {
  /** All that are in use: one of them may be away alone. */
  models: readonly string[];
  meter: Meter;
  observe: (call: ObservedCall) => void;
};

const STEP = 'ping';
const TOKENS = 1;
/** A model that thinks before it answers needs room for it. */
const TOKENS_WITH_THOUGHTS = 64;

/** Asks each model for one token: whether the server does what is asked of it, now. */
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
    // Some models know the limit by this name alone.
    const limit = { max_completion_tokens: TOKENS_WITH_THOUGHTS };
    return (await completions.create({ ...body, ...limit }, { signal })) ?? {};
  }
}
