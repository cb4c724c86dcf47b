import type OpenAI from 'openai';
import { InvalidReply, ModelFailed } from '../../domain/core/errors.ts';
import { tokensOf } from '../../language/text/tokens.ts';
import type { Endpoint } from '../../openai/endpoint.ts';
import type { Meter } from '../../openai/meter.ts';
import { type ObservedCall, observeCall } from '../../openai/observe-call.ts';
import { tokenCount } from '../../openai/usage.ts';
import { MINUTE } from '../../shared/duration.ts';
import type { Call } from '../reasoner.ts';

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/** A request to a model, whatever way it is sent. */
type CompletionRequest = {
  step: string;
  model: string;
  temperature: number;
  messages: readonly ChatMessage[];
  /** The JSON Schema of the reply. */
  schema: Record<string, unknown>;
};

/** Sends a request and returns the text of the answer. */
export type Complete = (request: CompletionRequest, call: Call) => Promise<string>;

/** Which parameters a model accepts. Both are assumed until it refuses a request. */
type Abilities = { schema: boolean; temperature: boolean };
const ALL: Abilities = { schema: true, temperature: true };

/** How long to respect a refusal, in milliseconds. One that names no parameter may concern that request alone. */
const HOLDS = { named: 60 * MINUTE, unnamed: 5 * MINUTE };

/** Remembers for a while which parameters each model has refused. */
function createLearned(clock: () => Date) {
  const byModel = new Map<string, { abilities: Abilities; until: number }>();
  return {
    of(model: string): Abilities {
      const learned = byModel.get(model);
      return learned && clock().getTime() < learned.until ? learned.abilities : ALL;
    },
    note(model: string, abilities: Abilities, refusal: ModelFailed | null): void {
      if (!refusal) return;
      const holds = refusal.param === null ? HOLDS.unnamed : HOLDS.named;
      byModel.set(model, { abilities, until: clock().getTime() + holds });
    },
  };
}

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

/**
 * Requests structured output by JSON Schema. If a model refuses that, requests use JSON mode for a while, with the schema
 * in the prompt; if it refuses a temperature, they send none. After that time everything is tried again, so that a single
 * odd refusal has no lasting effect.
 */
export function createComplete(
  endpoint: Endpoint,
  meter: Meter,
  { observe, clock }: { observe: (call: ObservedCall) => void; clock: () => Date },
): Complete {
  const learned = createLearned(clock);

  const send = async (
    request: CompletionRequest,
    abilities: Abilities,
    { userId, signal }: Call,
  ) => {
    const { step, model, messages } = request;
    await meter.admit();
    const body = bodyOf(request, abilities);
    const completion = await observeCall(observe, { step, model }, () =>
      endpoint.send(
        (client, ended) => client.chat.completions.create(body, { signal: ended }),
        signal,
      ),
    );
    const { usage, choices } = completion ?? {};
    const choice = choices?.[0];
    const content = textOf(choice?.message?.content);
    await meter.record(userId, {
      step,
      model,
      calls: 1,
      // Some servers report no token counts: count them here.
      promptTokens: tokenCount(usage?.prompt_tokens, () =>
        tokensOf(messages.map((message) => message.content).join('\n')),
      ),
      cachedTokens: tokenCount(usage?.prompt_tokens_details?.cached_tokens, () => 0),
      completionTokens: tokenCount(usage?.completion_tokens, () => tokensOf(content)),
    });
    if (choice?.finish_reason === 'length') throw new InvalidReply(step, ['it was cut off']);
    if (choice?.finish_reason === 'content_filter' || choice?.message?.refusal) {
      throw new InvalidReply(step, ['the model refused to answer']);
    }
    return content;
  };

  return async (request, call) => {
    const current = learned.of(request.model);
    const tries = [current];
    let refusal: ModelFailed | null = null;
    for (const abilities of tries) {
      try {
        const answer = await send(request, abilities, call);
        // Only a success shows which parameter the server had refused.
        learned.note(request.model, abilities, refusal);
        return answer;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal ??= error;
        if (abilities === current) tries.push(...lessThan(current, error.param));
      }
    }
    throw refusal;
  };
}

const LESS: readonly Abilities[] = [
  { schema: false, temperature: true },
  { schema: true, temperature: false },
  { schema: false, temperature: false },
];

/** Returns which parameters to try after a refusal, which seldom names the one that it refuses. */
const lessThan = (current: Abilities, refused: string | null): Abilities[] =>
  LESS.filter(
    ({ schema, temperature }) =>
      schema <= current.schema &&
      temperature <= current.temperature &&
      (schema !== current.schema || temperature !== current.temperature) &&
      !(temperature && refused === 'temperature'),
  );

/** Returns the text of a reply, which some servers send in parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (part as { text?: unknown })?.text ?? '').join('');
}

const isRefusal = (error: unknown): error is ModelFailed =>
  error instanceof ModelFailed && (error.status === 400 || error.status === 422);

function bodyOf(
  { step, model, messages, schema, temperature }: CompletionRequest,
  abilities: Abilities,
): Body {
  const name = step.replaceAll('-', '_');
  return {
    model,
    ...(abilities.temperature ? { temperature } : {}),
    ...(abilities.schema
      ? {
          messages: [...messages],
          response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
        }
      : {
          messages: withSchema(messages, schema),
          response_format: { type: 'json_object' },
        }),
  };
}

/** Adds the schema to the system message, for models that do not receive it as a parameter. */
export function withSchema(messages: readonly ChatMessage[], schema: object): ChatMessage[] {
  const instruction = `Reply with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
  const [system, ...others] = messages as [ChatMessage, ...ChatMessage[]];
  return [{ ...system, content: `${system.content}\n\n${instruction}` }, ...others];
}
