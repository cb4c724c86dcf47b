import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { EmbeddingProfile } from '../../domain/embedding-profile.ts';
import { type Embedder, EmbedderFailed } from '../../embedder/embedder.ts';
import type { Reasoner } from '../reasoner.ts';
import { createExtractiveReasoner } from './extractive.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** The reasoner's steps, by the names of their methods. */
export type Method = Exclude<keyof Reasoner, 'generatedBy' | 'modelOf'>;

/** What the thread does for the server. */
export type ThreadFunctions = {
  run(method: Method, input: unknown, userId: string): Promise<Outcome<unknown>>;
};

/** What the server does for the thread. */
export type ServerFunctions = {
  /** Null while there are no vectors to be had. */
  embed(texts: readonly string[], userId: string | null): Promise<Float32Array[] | null>;
};

/** How the server's vectors are to be read; null where there are none. */
export type ThreadData = { profile: EmbeddingProfile | null };

/** On Linux this lowers this thread only; elsewhere it would lower the whole process. */
const NICENESS = 5;

const port = parentPort;
if (port) {
  if (process.platform === 'linux') setPriority(NICENESS);
  const { profile } = workerData as ThreadData;
  const server = createBirpc<ServerFunctions, ThreadFunctions>(
    {
      run: (method, input, userId) =>
        outcomeOf(
          (reasoner[method] as (...args: unknown[]) => Promise<unknown>)(input, { userId }),
        ),
    },
    {
      post: (message) => port.postMessage(message),
      on: (listener) => port.on('message', listener),
      timeout: -1,
    },
  );
  const embedder: Embedder | null = profile && {
    name: null,
    dimension: null,
    profile,
    identify: () => Promise.reject(new Error('The thread embeds through the server.')),
    embed: async (texts, { userId }) => {
      const vectors = await server.embed(texts, userId ?? null);
      if (vectors === null) throw new EmbedderFailed('The server has no vectors now.');
      return vectors;
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const reasoner = createExtractiveReasoner({ embedder });
}
