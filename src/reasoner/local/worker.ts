import { availableParallelism } from 'node:os';
import { importPackage } from '../../local-models/optional-package.ts';
import type { Progress } from '../../local-models/progress.ts';
import { serveModel } from '../../local-models/serve-model.ts';
import type { ChatMessage } from '../openai/complete.ts';
import { grammarSchema } from './grammar-schema.ts';
import type { HistoryItem, Llama, LlamaModel, LlamaPackage, LlamaSession } from './llama.ts';

/** The start options of the thread. */
export type LocalReasonerData = {
  /** The URL from which to import `node-llama-cpp`. */
  packageUrl: string;
  /** The path or URL of a GGUF file. */
  model: string;
  /** The folder of downloaded models. */
  directory: string;
  /** The most tokens of a request with its reply. The context is smaller if the model or the memory has less room. */
  contextTokens: number;
};

export type LocalRequest = {
  messages: readonly ChatMessage[];
  schema: Record<string, unknown>;
  temperature: number;
  /** The most tokens of the reply. */
  replyTokens: number;
};

/** The result of a request. `text` is null if the request leaves no room for a reply in the model's context. */
export type LocalReply = {
  text: string | null;
  /** Whether the reply was cut off at the most tokens. */
  isCut: boolean;
  promptTokens: number;
  /** Tokens of the prompt that the model still had from the previous request. */
  cachedTokens: number;
  completionTokens: number;
};

export type LocalReasonerAbout = { contextTokens: number };

/** About how many tokens mark the roles between the messages. */
const MARKS = 64;

/** Half of the processors; the server keeps the others. */
const THREADS = Math.max(1, availableParallelism() >> 1);

const isAddress = (model: string) => /^[a-z]{2,}:/i.test(model);

/** Creates a function that runs one request after another. The model does not read again what a request begins with like the last one. */
function createConverse(
  llama: Llama,
  model: LlamaModel,
  session: LlamaSession,
  contextTokens: number,
) {
  const grammars = new Map<string, ReturnType<Llama['createGrammarForJsonSchema']>>();
  const grammarOf = (schema: object) => {
    const key = JSON.stringify(schema);
    const grammar =
      grammars.get(key) ?? llama.createGrammarForJsonSchema(grammarSchema(schema) as object);
    grammars.set(key, grammar);
    return grammar;
  };
  return async (request: LocalRequest, signal: AbortSignal): Promise<LocalReply> => {
    const { messages, schema, temperature, replyTokens } = request;
    const whole = messages.map(({ content }) => content).join('\n');
    const promptTokens = model.tokenize(whole).length + MARKS;
    const room = contextTokens - promptTokens;
    const none = { text: null, isCut: false, promptTokens, cachedTokens: 0, completionTokens: 0 };
    if (room < Math.min(replyTokens, contextTokens / 4)) return none;
    session.setChatHistory(messages.slice(0, -1).map(historyItem));
    const { tokenMeter } = session.sequence;
    const before = { ...usedOf(tokenMeter) };
    const { responseText, stopReason } = await session.promptWithMeta(
      messages.at(-1)?.content ?? '',
      {
        grammar: await grammarOf(schema),
        temperature,
        maxTokens: Math.min(replyTokens, room),
        // The grammar permits no thoughts.
        budgets: { thoughtTokens: 0 },
        signal,
      },
    );
    const used = usedOf(tokenMeter);
    const completionTokens = used.output - before.output;
    return {
      text: responseText,
      isCut: stopReason === 'maxTokens',
      promptTokens,
      cachedTokens: Math.max(0, promptTokens - (used.input - before.input)),
      completionTokens,
    };
  };
}

const usedOf = ({ usedInputTokens, usedOutputTokens }: LlamaSession['sequence']['tokenMeter']) => ({
  input: usedInputTokens,
  output: usedOutputTokens,
});

const historyItem = ({ role, content }: ChatMessage): HistoryItem =>
  role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content };

async function load(data: LocalReasonerData, reportProgress: (progress: Progress) => void) {
  const { getLlama, resolveModelFile, LlamaChatSession } = await importPackage<LlamaPackage>(
    data.packageUrl,
    'getLlama',
  );
  const llama = await getLlama({
    gpu: 'auto',
    // Never compile llama.cpp while the server runs.
    build: 'never',
    logLevel: 'disabled',
    progressLogs: false,
    maxThreads: THREADS,
  });
  const modelPath = isAddress(data.model)
    ? await resolveModelFile(data.model, {
        directory: data.directory,
        cli: false,
        onProgress: ({ totalSize, downloadedSize }) =>
          reportProgress({ loaded: downloadedSize, total: totalSize }),
      })
    : data.model;
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({
    contextSize: { max: data.contextTokens },
    sequences: 1,
    threads: THREADS,
  });
  const { contextSize: contextTokens } = context;
  const session = new LlamaChatSession({ contextSequence: context.getSequence() });
  const run = createConverse(llama, model, session, contextTokens);
  return { about: { contextTokens }, run };
}

await serveModel<LocalReasonerData, LocalRequest, LocalReply, LocalReasonerAbout>(load);
