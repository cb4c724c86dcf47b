import { availableParallelism } from 'node:os';
import { importPackage } from '../../local-models/optional-package.ts';
import type { Progress } from '../../local-models/progress.ts';
import { serveModel } from '../../local-models/serve-model.ts';
import type { Message } from '../openai/complete.ts';
import { grammarSchema } from './grammar-schema.ts';
import type { HistoryItem, Llama, LlamaPackage, Model, Session } from './llama.ts';

/** What the thread is started with. */
export type LocalReasonerData = {
  /** Where to import `node-llama-cpp` from. */
  packageUrl: string;
  /** A GGUF file, or its address. */
  model: string;
  /** Where fetched models are kept. */
  directory: string;
  /** Most tokens of a request, its reply included; fewer where the model or the memory has less room. */
  contextTokens: number;
};

export type LocalRequest = {
  messages: readonly Message[];
  schema: Record<string, unknown>;
  temperature: number;
  /** Most tokens of the reply. */
  replyTokens: number;
};

/** What came of it; without a text where the request is longer than the model's context. */
export type LocalReply = {
  text: string | null;
  /** Whether the reply was longer than it may be. */
  isCut: boolean;
  promptTokens: number;
  /** Those of the prompt that the model still had from the request before. */
  cachedTokens: number;
  completionTokens: number;
};

export type LocalReasonerAbout = { contextTokens: number };

/** Marks of roles between the messages, about. */
const MARKS = 64;

/** The others are the server's. */
const THREADS = Math.max(1, availableParallelism() >> 1);

const isAddress = (model: string) => /^[a-z]{2,}:/i.test(model);

/** One conversation after the other; what the next one begins with as the last did is not read anew. */
function createConverse(llama: Llama, model: Model, session: Session, contextTokens: number) {
  const grammars = new Map<string, ReturnType<Llama['createGrammarForJsonSchema']>>();
  const grammarOf = (schema: object) => {
    const key = JSON.stringify(schema);
    const made =
      grammars.get(key) ?? llama.createGrammarForJsonSchema(grammarSchema(schema) as object);
    grammars.set(key, made);
    return made;
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
        // The grammar leaves no place for them.
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

const usedOf = ({ usedInputTokens, usedOutputTokens }: Session['sequence']['tokenMeter']) => ({
  input: usedInputTokens,
  output: usedOutputTokens,
});

const historyItem = ({ role, content }: Message): HistoryItem =>
  role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content };

async function load(data: LocalReasonerData, fetched: (progress: Progress) => void) {
  const { getLlama, resolveModelFile, LlamaChatSession } = await importPackage<LlamaPackage>(
    data.packageUrl,
    'getLlama',
  );
  const llama = await getLlama({
    gpu: 'auto',
    // Nothing is compiled while the server runs.
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
          fetched({ loaded: downloadedSize, total: totalSize }),
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
