/** One message of a chat history in `node-llama-cpp`. */
export type HistoryItem =
  | { type: 'system' | 'user'; text: string }
  | { type: 'model'; response: string[] };

type Sequence = { tokenMeter: { usedInputTokens: number; usedOutputTokens: number } };
type Grammar = object;

export type LlamaSession = {
  readonly sequence: Sequence;
  setChatHistory(history: HistoryItem[]): void;
  promptWithMeta(
    prompt: string,
    options: {
      grammar: Grammar;
      temperature: number;
      maxTokens: number;
      budgets: { thoughtTokens: number };
      signal: AbortSignal;
    },
  ): Promise<{ responseText: string; stopReason: string }>;
};

type Context = { contextSize: number; getSequence(): Sequence };

export type LlamaModel = {
  tokenize(text: string): readonly number[];
  createContext(options: {
    contextSize: { max: number };
    sequences: number;
    threads: number;
  }): Promise<Context>;
};

export type Llama = {
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<Grammar>;
};

/** The part of `node-llama-cpp` that is used here. */
export type LlamaPackage = {
  getLlama(options: {
    gpu: 'auto';
    build: 'never';
    logLevel: 'disabled';
    progressLogs: boolean;
    maxThreads: number;
  }): Promise<Llama>;
  LlamaChatSession: new (options: { contextSequence: Sequence }) => LlamaSession;
  resolveModelFile(
    address: string,
    options: {
      directory: string;
      cli: boolean;
      onProgress: (progress: { totalSize: number; downloadedSize: number }) => void;
    },
  ): Promise<string>;
};
