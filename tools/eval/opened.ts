import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import type { Embedder, EmbedderIdentity } from '../../src/embedder/core/embedder.ts';
import {
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from '../support/server-process.ts';

/** A server that is evaluated, with two clients that act for any user. */
export type EvaluatedServer = AsyncDisposable & Pick<ServerProcess, 'request' | 'memory'>;

/** How an evaluation opens what it needs. */
export type Opening = {
  startServer(options: Pick<ServerProcessOptions, 'databaseUrl' | 'env'>): Promise<EvaluatedServer>;
  /** The embedder of this process, which is the same as the server's. */
  openEmbedder(): Embedder & EmbedderIdentity;
};

/** A server in a process of its own, and an embedder of its own. */
export const OF_ITS_OWN: Opening = {
  startServer: startServerProcess,
  openEmbedder: () => createBuiltInEmbedder(),
};
