import type OpenAI from 'openai';
import { InvalidReply, ModelFailed } from '../../domain/errors.ts';
import type { Endpoint } from '../../openai/endpoint.ts';
import type { Meter } from '../../openai/meter.ts';
import { tokensOf } from '../../openai/tokens.ts';
import type { Call } from '../reasoner.ts';

export type Message = { role: 'system' | 'user' | 'assistant'; content: string };

/** What is asked of a model, apart from how it is sent. */
type CompletionRequest = {
  step: string;
  model: string;
  temperature: number;
  messages: readonly Message[];
  /** The JSON Schema of the reply. */
  schema: Record<string, unknown>;
};

/** Sends a request and returns the text of the answer. */
export type Complete = (request: CompletionRequest, call: Call) => Promise<string>;

/** How a request to a model went, for the metrics. */
export type ObservedCall = {
  step: string;
  model: string;
  outcome: 'ok' | 'failed';
  seconds: number;
};

/** What a model takes. Assumed at first; a refusal teaches. */
type Abilities = { schema: boolean; temperature: boolean };

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

/**
 * Structured output by JSON Schema; a model that refuses it is asked in JSON mode from then on, with
 * the schema in words, and one that refuses a temperature is asked without.
 */
export function createComplete(
  endpoint: Endpoint,
  meter: Meter,
  observe: (call: ObservedCall) => void,
): Complete {
  const abilitiesOf = new Map<string, Abilities>();

  const send = async (
    request: CompletionRequest,
    abilities: Abilities,
    { userId, signal }: Call,
  ) => {
    const { step, model, messages } = request;
    await meter.admit();
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    let completion: OpenAI.ChatCompletion;
    try {
      const body = bodyOf(request, abilities);
      completion = await endpoint.send(
        (client, ended) => client.chat.completions.create(body, { signal: ended }),
        signal,
      );
    } catch (error) {
      observe({ step, model, outcome: 'failed', seconds: seconds() });
      throw error;
    }
    observe({ step, model, outcome: 'ok', seconds: seconds() });
    const { usage, choices } = completion;
    const choice = choices?.[0];
    const content = choice?.message?.content ?? '';
    await meter.record(userId, {
      step,
      model,
      calls: 1,
      // Some servers count nothing: then we do.
      promptTokens:
        usage?.prompt_tokens ?? tokensOf(messages.map((message) => message.content).join('\n')),
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      completionTokens: usage?.completion_tokens ?? tokensOf(content),
    });
    if (choice?.finish_reason === 'length') throw new InvalidReply(step, ['it was cut off']);
    if (choice?.finish_reason === 'content_filter' || choice?.message?.refusal) {
      throw new InvalidReply(step, ['the model refused to answer']);
    }
    return content;
  };

  return async (request, call) => {
    const abilities = abilitiesOf.get(request.model) ?? { schema: true, temperature: true };
    abilitiesOf.set(request.model, abilities);
    try {
      return await send(request, abilities, call);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const less =
        error.param === 'temperature' && abilities.temperature
          ? { ...abilities, temperature: false }
          : { ...abilities, schema: false };
      if (less.schema === abilities.schema && less.temperature === abilities.temperature)
        throw error;
      const answer = await send(request, less, call);
      // Only now is it known that this was what the server did not like.
      Object.assign(abilities, less);
      return answer;
    }
  };
}

const isRefusal = (error: unknown): error is ModelFailed =>
  error instanceof ModelFailed && (error.status === 400 || error.status === 422);

function bodyOf(
  { step, model, messages, schema, temperature }: CompletionRequest,
  abilities: Abilities,
): Body {
  const name = step.replaceAll('-', '_');
  const inWords = `Reply with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
  const [system, ...others] = messages as [Message, ...Message[]];
  return {
    model,
    ...(abilities.temperature ? { temperature } : {}),
    ...(abilities.schema
      ? {
          messages: [...messages],
          response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
        }
      : {
          messages: [{ ...system, content: `${system.content}\n\n${inWords}` }, ...others],
          response_format: { type: 'json_object' },
        }),
  };
}
