import type { Memory } from '@mnemograph/client';
import type { Schema, Tool } from 'ai';
import { answerIn, type Part, type Prompt, questionIn } from './ai-sdk-prompt.ts';
import { type AdapterOptions, createExchanges, type Exchange } from './exchange.ts';

export type { AdapterOptions } from './exchange.ts';

/** A language model by the specification v2, v3 or v4 of the AI SDK, by its structure. */
export type LanguageModel = {
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
};

type CallOptions = { prompt: Prompt };
type Generated = { content: readonly Part[] };
type Streamed = { stream: ReadableStream<Part> };
type Calls = {
  doGenerate(options: CallOptions): PromiseLike<Generated>;
  doStream(options: CallOptions): PromiseLike<Streamed>;
};

/**
 * Gives a language model a memory: what is known goes into each prompt, and both sides of the talk are remembered. Several
 * calls that answer one message, in a loop of tools, recall once.
 */
export function withMemory<Model extends LanguageModel>(
  model: Model,
  options: AdapterOptions,
): Model {
  const exchanges = createExchanges(options);
  const { doGenerate, doStream } = model as unknown as Calls;

  const calls: Calls = {
    async doGenerate(call) {
      const exchange = exchanges.of(questionIn(call.prompt));
      if (!exchange) return doGenerate.call(model, call);
      const result = await doGenerate.call(model, await informed(call, exchange));
      await exchange.remember(answerIn(call.prompt, result.content));
      return result;
    },
    async doStream(call) {
      const exchange = exchanges.of(questionIn(call.prompt));
      if (!exchange) return doStream.call(model, call);
      const result = await doStream.call(model, await informed(call, exchange));
      const over = (parts: readonly Part[]) => exchange.remember(answerIn(call.prompt, parts));
      return { ...result, stream: observed(result.stream, over) };
    },
  };
  return new Proxy(model, {
    get(target, name) {
      if (name === 'doGenerate' || name === 'doStream') return calls[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Tools by which a model itself searches a memory and stores in it, for AI SDK 5 and later. */
export function memoryTools(
  memory: Pick<Memory, 'recall' | 'remember'>,
  { channel, maxTokens = RECALL_TOKENS }: Pick<AdapterOptions, 'channel' | 'maxTokens'> = {},
): MemoryTools {
  return {
    recall: {
      description: 'Search all that the user has ever said and all that is known about them.',
      inputSchema: textSchema('query'),
      execute: async ({ query }) => (await memory.recall(query, { maxTokens })).markdown,
    },
    remember: {
      description: 'Store something that the user said, word for word.',
      inputSchema: textSchema('text'),
      execute: async ({ text }) => {
        const { turns } = await memory.remember({ channel, turns: [{ text }] });
        return turns.map(({ status }) => status).join(', ');
      },
    },
  };
}

/** What `memoryTools` gives. */
export type MemoryTools = {
  recall: Tool<{ query: string }, string>;
  remember: Tool<{ text: string }, string>;
};

const RECALL_TOKENS = 1_500;

/** What marks a schema, whichever copy or version of the AI SDK has made it: the second one in version 5. */
const MARKS = ['vercel.ai.schema', 'vercel.ai.validator'].map((name) => [Symbol.for(name), true]);

/** The schema of an input with one text, as `jsonSchema` of the AI SDK makes it: so nothing of the SDK is needed to run. */
const textSchema = <Name extends string>(name: Name) =>
  ({
    ...Object.fromEntries(MARKS),
    jsonSchema: {
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
      additionalProperties: false,
    },
    validate: undefined,
  }) as Schema<Record<Name, string>>;

/** The call with what memory knows, after the system messages that do not change, so that prompt caches hit. */
async function informed(call: CallOptions, exchange: Exchange): Promise<CallOptions> {
  const content = await exchange.context;
  if (content === '') return call;
  const found = call.prompt.findIndex(({ role }) => role !== 'system');
  const place = found === -1 ? call.prompt.length : found;
  return { ...call, prompt: call.prompt.toSpliced(place, 0, { role: 'system', content }) };
}

/** The parts of a stream that an answer is made of. */
const KEPT = new Set(['text-start', 'text-delta', 'tool-call']);

/** The same stream. Tells what came when it is over: at its end before the reader is told, or when the reader leaves. */
function observed(
  stream: ReadableStream<Part>,
  over: (parts: readonly Part[]) => Promise<void>,
): ReadableStream<Part> {
  const reader = stream.getReader();
  const parts: Part[] = [];
  return new ReadableStream<Part>({
    async pull(controller) {
      const { done, value } = await reader.read().catch(async (error) => {
        await over(parts);
        throw error;
      });
      if (done) {
        await over(parts);
        return controller.close();
      }
      if (KEPT.has(value.type)) parts.push(value);
      controller.enqueue(value);
    },
    async cancel(reason) {
      await over(parts);
      await reader.cancel(reason);
    },
  });
}
