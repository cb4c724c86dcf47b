import { type Authenticate, createAuthenticator } from '../auth/authenticate.ts';
import { createTrustWatch, type WatchTrust } from '../auth/watch-trust.ts';
import type { Context } from '../context.ts';
import { createStreams, type Streams } from './streams.ts';

/** Who may come in, for how long, and how often at a time: the same over HTTP, SSE and WebSocket. */
export type Gate = { authenticate: Authenticate; watchTrust: WatchTrust; streams: Streams };

export function createGate(ctx: Context): Gate {
  const authenticate = createAuthenticator(ctx);
  const watchTrust = createTrustWatch(ctx, authenticate);
  return { authenticate, watchTrust, streams: createStreams(ctx) };
}
