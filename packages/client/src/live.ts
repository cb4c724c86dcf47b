import type { Server } from './server.ts';

/** A subscription to open. */
export type Opening = {
  query: string;
  variables: unknown;
  /** Milliseconds for the server to accept it. */
  timeout: number;
  signal: AbortSignal | undefined;
};

/**
 * A way to follow subscriptions: opens one over a single connection. Yields null when the server has accepted it, then its
 * results. Throws MemoryError when the connection is lost.
 */
export type Live = <Data>(server: Server, opening: Opening) => AsyncGenerator<Data | null>;
